import type { ConfigWarning } from './config-warning.ts'
import { settings } from './settings.ts'
import type { Setting } from './settings.ts'

/** Warns of names that look like a setting but are none: begun like one, or two letters away, in any case. */
export function misspelledNames(names: readonly string[]): readonly ConfigWarning[] {
  const settingNames = Object.entries(settings).flatMap(([name, { secret }]: [string, Setting]) =>
    secret ? [name, `${name}_FILE`] : [name],
  )
  const beginnings = new Set(settingNames.filter((name) => name.includes('_')).map(beginning))
  return names.flatMap((name) => {
    if (settingNames.includes(name)) return []
    const upper = name.toUpperCase()
    const [nearest = '', distance = 0] =
      settingNames
        .map((settingName): [string, number] => [settingName, distanceOf(upper, settingName)])
        .toSorted(([, a], [, b]) => a - b)[0] ?? []
    if (distance <= 2) return [warningOf(name, ` Is ${nearest} meant?`)]
    const isOurs = upper.includes('_') && beginnings.has(beginning(upper))
    return isOurs ? [warningOf(name)] : []
  })
}

function warningOf(name: string, hint = ''): ConfigWarning {
  const message = `.env sets ${name}, which is no setting.${hint}`
  return { message, advice: 'Correct the name in .env, or remove it.' }
}

function beginning(name: string): string {
  return name.slice(0, name.indexOf('_'))
}

/** Returns the Levenshtein distance: how many letters must be inserted, removed or changed. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1]
    for (const [j, other] of Array.from(b).entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1)
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
