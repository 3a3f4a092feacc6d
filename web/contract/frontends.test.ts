import { resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { serverEntryOf } from '../../cmd/build/bundle/entry.ts'
import { frontendNames } from '../../cmd/build/frontend-build.ts'
import manifest from '../../package.json' with { type: 'json' }
import { canonicalHtml } from '../../internal/testing/formats/canonical-html.ts'
import { examplePages } from './examples/examples.ts'
import type { Frontend } from './frontend.ts'
import { type Language, languageNames } from './languages.ts'

// Compiles every component of every frontend in each language, which no other test waits for.
vi.setConfig({ testTimeout: 240_000 })

type Drawings = Readonly<Record<string, readonly string[]>>

test('all frontends draw every page the same in every state and language', async () => {
  const reference = await drawings(manifest.config.frontend)
  const allDifferences: string[] = []
  for (const name of frontendNames)
    allDifferences.push(...differences(reference, await drawings(name), name))
  expect(allDifferences).toEqual([])
})

async function loadFrontend(name: string, language: Language): Promise<Frontend> {
  const loaded = await import(`${resolve(serverEntryOf(name))}?language=${language}`)
  return (loaded as { frontend: Frontend }).frontend
}

/** Returns the HTML lines that a frontend draws for each example. */
async function drawings(name: string): Promise<Drawings> {
  const byState: Record<string, readonly string[]> = {}
  for (const language of languageNames) {
    const frontend = await loadFrontend(name, language)
    for (const [state, page] of examplePages(language))
      byState[state] = canonicalHtml(await frontend.render(page)).map(withoutPlace)
  }
  return byState
}

/** Replaces the file that the dashboard names as the start of the product: it differs by frontend. */
function withoutPlace(line: string): string {
  return line.replace(/web\/\w+\/product\/start\.\w+/, 'where the product begins')
}

/** Returns how a frontend's drawings differ from the right ones, each with one page where it does. */
function differences(expected: Drawings, actual: Drawings, name: string): string[] {
  const stateByDifference = new Map<string, string>()
  for (const [state, expectedLines] of Object.entries(expected)) {
    const actualLines = actual[state] ?? []
    const length = Math.max(expectedLines.length, actualLines.length)
    const at = Array.from({ length }, (_, line) => line).find(
      (index) => expectedLines[index] !== actualLines[index],
    )
    if (at === undefined) continue
    stateByDifference.set(
      `${actualLines[at]} in place of ${expectedLines[at]}, after ${expectedLines[at - 1]}`,
      state,
    )
  }
  return Array.from(
    stateByDifference,
    ([difference, state]) => `${name} draws ${state}: ${difference}`,
  )
}
