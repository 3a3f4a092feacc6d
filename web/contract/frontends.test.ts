import { resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { serverEntryOf } from '../../cmd/build/bundle/entry.ts'
import { frontendNames } from '../../cmd/build/frontend-build.ts'
import manifest from '../../package.json' with { type: 'json' }
import { canonicalHtml } from '../../internal/testing/formats/canonical-html.ts'
import { pagesIn } from './examples/examples.ts'
import type { Frontend } from './frontend.ts'
import { type Language, languageNames } from './languages.ts'

// Compiles every component of every frontend in each language, which no other test waits for.
vi.setConfig({ testTimeout: 240_000 })

type Drawings = Readonly<Record<string, readonly string[]>>

test('all frontends draw every page the same in every state and language', async () => {
  const own = await drawings(manifest.config.frontend)
  const differing: string[] = []
  for (const name of frontendNames) differing.push(...differences(own, await drawings(name), name))
  expect(differing).toEqual([])
})

async function frontendIn(name: string, language: Language): Promise<Frontend> {
  const loaded = await import(`${resolve(serverEntryOf(name))}?language=${language}`)
  return (loaded as { frontend: Frontend }).frontend
}

/** Returns the HTML lines that a frontend draws for each example. */
async function drawings(name: string): Promise<Drawings> {
  const byState: Record<string, readonly string[]> = {}
  for (const language of languageNames) {
    const frontend = await frontendIn(name, language)
    for (const [state, page] of pagesIn(language))
      byState[state] = canonicalHtml(await frontend.render(page)).map(withoutPlace)
  }
  return byState
}

/** Replaces the file that the dashboard names as the start of the product: it differs by frontend. */
function withoutPlace(line: string): string {
  return line.replace(/web\/\w+\/product\/start\.\w+/, 'where the product begins')
}

/** Returns how a frontend's drawings differ from the right ones, each with one page where it does. */
function differences(right: Drawings, drawn: Drawings, name: string): string[] {
  const found = new Map<string, string>()
  for (const [state, lines] of Object.entries(right)) {
    const others = drawn[state] ?? []
    const length = Math.max(lines.length, others.length)
    const at = Array.from({ length }, (_, line) => line).find((one) => lines[one] !== others[one])
    if (at === undefined) continue
    found.set(`${others[at]} in place of ${lines[at]}, after ${lines[at - 1]}`, state)
  }
  return Array.from(found, ([difference, state]) => `${name} draws ${state}: ${difference}`)
}
