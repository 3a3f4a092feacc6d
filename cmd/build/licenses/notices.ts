import type { Manifest } from '../options.ts'
import type { Part } from './parts.ts'

/** Returns what `app licenses` prints: a list of the parts with their licenses, then each one's notices. */
export function noticesText({ name, version }: Manifest, parts: readonly Part[]): string {
  const allParts = parts.flatMap((part) => [part, ...(part.parts ?? [])])
  const licensed = allParts.filter(({ license }) => license !== undefined)
  return [
    `${name} ${version} has these inside, each under the license that stands below:`,
    '',
    ...licensed.map((part) => `  ${titleOf(part)}`),
    ...licensed.flatMap((part) => ['', '', `==== ${titleOf(part)} ====`, '', ...noticeLines(part)]),
    '',
  ].join('\n')
}

function titleOf({ name, version, license }: Part): string {
  return `${name} ${version} (${license})`
}

function noticeLines({ notices, parts = [], lacksNotices }: Part): string[] {
  if (notices.length === 0) return ['Its makers gave it to everyone, and ask for no notice.']
  const crateParts = parts.filter(({ notices }) => notices.length === 0)
  const crates = crateParts.map(({ name, version }) => `${name} ${version}`).join(', ')
  return [
    ...notices.map((notice) => notice.trim()),
    ...(lacksNotices
      ? ['', `It is made of others, whose notices it comes without, ${crates} among them.`]
      : []),
  ]
}
