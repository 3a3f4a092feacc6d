import { examplePages } from '../../../web/contract/examples/examples.ts'
import type { Frontend } from '../../../web/contract/frontend.ts'
import { defaultLanguage } from '../../../web/contract/languages.ts'
import type { Page } from '../../../web/contract/pages.ts'
import { bundle, serverBundle } from './bundle.ts'
import { serverEntryOf } from './entry.ts'
import { frontendBuildOf, frontendPlugin } from '../frontend-build.ts'
import { wordsPlugin } from '../plugins/languages-plugin.ts'
import type { Manifest } from '../options.ts'
import { manifestPlugin } from '../plugins/plugins.ts'

/** The median time to render one of its examples, by page. */
type Microseconds = ReadonlyMap<string, number>

/** Prints how long the server takes to render each page with each of these frontends. */
export async function printDrawingTimes(
  frontends: readonly string[],
  manifest: Manifest,
): Promise<void> {
  const times: Microseconds[] = []
  for (const name of frontends)
    times.push(await drawingTimes(await bundledFrontend(name, manifest)))
  printRow('microseconds to draw a page', frontends)
  for (const page of times[0]?.keys() ?? [])
    printRow(
      page,
      times.map((timesByPage) => timesByPage.get(page)?.toFixed(0) ?? ''),
    )
}

/** Bundles and loads a frontend as for the server. */
export async function bundledFrontend(frontend: string, manifest: Manifest): Promise<Frontend> {
  const frontendBuild = frontendPlugin(await frontendBuildOf(frontend), 'server')
  const plugins = [manifestPlugin(manifest), wordsPlugin(defaultLanguage), frontendBuild]
  const { database } = manifest.config
  const bundled = await bundle({
    ...serverBundle({ frontend, database, plugins }),
    entryPoints: [serverEntryOf(frontend)],
  })
  const source = Buffer.from(bundled.outputFiles[0]?.contents ?? '').toString('base64')
  const module = (await import(`data:text/javascript;base64,${source}`)) as { frontend: Frontend }
  return module.frontend
}

async function drawingTimes(frontend: Frontend): Promise<Microseconds> {
  const examples = Map.groupBy(
    examplePages(defaultLanguage).map(([, page]) => page),
    ({ component }) => component,
  )
  const times = new Map<string, number>()
  // Twice: during the first round V8 is still optimizing. The second replaces its times.
  for (let round = 0; round < 2; round++)
    for (const [component, pages] of examples)
      times.set(component, await median(pages, (page) => frontend.render(page)))
  return times
}

const rounds = 50

async function median(
  pages: readonly Page[],
  render: (page: Page) => Promise<string>,
): Promise<number> {
  const durations: number[] = []
  for (let round = 0; round < rounds; round++)
    for (const page of pages) {
      const start = performance.now()
      await render(page)
      durations.push((performance.now() - start) * 1000)
    }
  return durations.toSorted((a, b) => a - b)[durations.length >> 1] ?? 0
}

function printRow(name: string, columns: readonly string[]): void {
  console.log(name.padEnd(44) + columns.map((column) => column.padStart(14)).join(''))
}
