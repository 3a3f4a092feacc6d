import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { environment } from '../../internal/base/settings/config.ts'
import { Refusal } from '../build/options.ts'
import { allChoices, type Ask, type Given, readGiven } from './choices.ts'
import { create } from './create.ts'
import { addToBranch, beginHistory, branch } from './history.ts'
import type { Project } from './manifest.ts'

// `npm run create -- ../shop --name shop --database postgres --frontend svelte` makes an app of one's own; with a folder
// that was made so and `--again`, the app is given what has changed here since.
const from = environment()['INIT_CWD'] ?? process.cwd()

try {
  const given = readGiven(process.argv.slice(2), from)
  if (given.again) createAgain(given)
  else await createNew(given)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(error.message)
  process.exitCode = error.exitCode
}

async function createNew(given: Given): Promise<void> {
  const asking = process.stdin.isTTY ? createInterface(process.stdin, process.stdout) : undefined
  const ask: Ask | undefined =
    asking &&
    (async (what, usual) => (await asking.question(`${what} (${usual})? `)).trim() || usual)
  const { folder, ...choices } = await allChoices(given, ask).finally(() => asking?.close())
  create(folder, choices)
  beginHistory(folder)
  console.log(`Made ${choices.name}, on ${choices.database} with ${choices.frontend}. Go on there:

  cd ${relative(from, folder) || '.'}
  npm ci && npm start`)
}

/** Makes it as it would be created today, and puts that on its branch. */
function createAgain({ folder }: Given): void {
  if (folder === undefined) throw new Refusal('Name the folder of the app: … <folder> --again', 2)
  const { name, config } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as Project & {
    name: string
  }
  const { database = '', frontend = '' } = config
  const made = mkdtempSync(join(tmpdir(), `${name}-`))
  try {
    create(made, { name, database, frontend })
    const isNew = addToBranch(folder, made)
    console.log(
      isNew
        ? `The branch ${branch} has what is new: git merge ${branch}`
        : `Nothing is new: the branch ${branch} has it all.`,
    )
  } finally {
    rmSync(made, { recursive: true })
  }
}
