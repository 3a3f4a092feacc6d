import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer as startMysql } from '../../internal/testing/mysql/own-server.ts'
import { startServer as startPostgres } from '../../internal/testing/postgres/embedded-server.ts'
import { frontendNames } from '../build/frontend-build.ts'
import { databaseNames } from '../build/options.ts'
import type { Choices } from '../create/choices.ts'
import { run } from '../create/run.ts'
import { use } from './create/use.ts'
import { check } from './machine.ts'

const root = resolve(import.meta.dirname, '../..')
const name = 'shop'

/** Apps for which `--whole` runs the check and all tests: each database and each frontend is among them once. */
const fullyTested = new Set(['sqlite with preact', 'postgres with svelte', 'mysql with vue'])

/**
 * `npm run check:create [-- --only "sqlite with preact"] [-- --whole]`: creates an app with each database and
 * frontend, installs, builds and uses it; `--whole` also runs the check and all tests of some, with different names
 * for people and for files.
 */
await check('Apps of one’s own', async (folder) => {
  const { selected, whole } = selection()
  chmodSync(folder, 0o755)
  const figures: Record<string, Figures> = {}
  const failedTitles: string[] = []
  for (const choices of selected) {
    const title = titleOf(choices)
    console.log(title)
    try {
      figures[title] = await runSteps(folder, choices, whole && fullyTested.has(title))
    } catch (error) {
      console.error(error instanceof Error ? error.message.slice(-20_000) : error)
      failedTitles.push(title)
    }
    console.table(figures)
  }
  if (failedTitles.length > 0) throw new Error(`These fall short: ${failedTitles.join(', ')}.`)
})

function selection() {
  const options = { only: { type: 'string' }, whole: { type: 'boolean', default: false } } as const
  const { only, whole } = parseArgs({ options }).values
  const candidates = combinations()
  const selected = candidates.filter((choices) => only === undefined || only === titleOf(choices))
  if (selected.length === 0)
    throw new Error(`There is no "${only}", only ${candidates.map(titleOf).join(', ')}.`)
  return { selected, whole }
}

function combinations(): Choices[] {
  return databaseNames.flatMap((database) =>
    frontendNames.map((frontend) => ({ name, database, frontend })),
  )
}

function titleOf({ database, frontend }: Choices): string {
  return `${database} with ${frontend}`
}

/** Seconds per step, and the number of files. */
type Figures = Record<string, number>

async function runSteps(folder: string, choices: Choices, whole: boolean): Promise<Figures> {
  const app = join(folder, `${choices.database}-${choices.frontend}`)
  const figures: Figures = {}
  const step = async (title: string, work: () => unknown) => {
    const start = performance.now()
    await work()
    figures[title] = Math.round((performance.now() - start) / 100) / 10
  }
  const { database, frontend } = choices
  const options = ['--name', name, '--database', database, '--frontend', frontend]
  await step('create', () => run(root, process.execPath, ['cmd/create/main.ts', app, ...options]))
  figures['files'] = run(app, 'git', ['ls-files']).split('\n').length
  await step('npm ci', () => run(app, 'npm', ['ci']))
  await step('build', () => run(app, 'npm', ['run', 'build', '--', '--quiet']))
  await step('use', () =>
    withDatabaseSettings(folder, database, (settings) => use(app, name, settings)),
  )
  if (whole) {
    nameBrand(app)
    await step('check', () => run(app, 'npm', ['run', 'check']))
    await step('test', () => run(app, 'npm', ['test']))
    run(app, 'git', ['restore', 'web/brand'])
  }
  if (run(app, 'git', ['status', '--porcelain']) !== '')
    throw new Error('Something that was made is not ignored by git.')
  rmSync(app, { recursive: true })
  return figures
}

/** Sets a display name that HTML has to escape, and draws the pictures that contain it. */
function nameBrand(app: string): void {
  const file = join(app, 'web/brand/brand.ts')
  const text = readFileSync(file, 'utf8')
  const newText = text.replace('= manifest.name', "= 'Shop & Co'")
  if (newText === text) throw new Error(`${file} does not take the name from package.json.`)
  writeFileSync(file, newText.replace(/^import manifest .*\n\n/, ''))
  run(app, 'npm', ['run', 'brand'])
}

/** Runs `work` with the settings of an empty database. */
async function withDatabaseSettings(
  folder: string,
  database: string,
  work: (settings: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  if (database === 'sqlite') return work({})
  const serverFolder = join(folder, 'server')
  mkdirSync(serverFolder)
  chmodSync(serverFolder, 0o755)
  const server = await (database === 'mysql' ? startMysql : startPostgres)(serverFolder, {
    durable: false,
  })
  try {
    await work({ DB_URL: server.url })
  } finally {
    await server.stop()
    rmSync(serverFolder, { recursive: true })
  }
}
