import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { environment } from '../../internal/base/settings/config.ts'
import { Refusal } from '../build/command-line.ts'
import { spokenName } from './change.ts'
import { allChoices, type Ask, type Choices, type Given, readGiven } from './choices.ts'
import { create } from './create.ts'
import { addToBranch, beginHistory, branch, takeFromBranch, whyNoBranch } from './history.ts'

// `npm run create -- ../shop --name shop --database postgres --frontend svelte` makes an app of one's own. With the
// folder of such an app and `--again`, its branch gets what has changed here since.
const from = environment()['INIT_CWD'] ?? process.cwd()

try {
  const given = readGiven(process.argv.slice(2), from)
  if (given.again) createAgain(given)
  else await createNew(given)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  error.tell()
}

async function createNew(given: Given): Promise<void> {
  const asking = process.stdin.isTTY ? createInterface(process.stdin, process.stdout) : undefined
  const ask: Ask | undefined =
    asking &&
    (async (what, usual) => (await asking.question(`${what} (${usual})? `)).trim() || usual)
  const { folder, ...choices } = await allChoices(given, ask).finally(() => asking?.close())
  try {
    create(folder, choices)
    beginHistory(folder)
  } catch (error) {
    // The folder was empty, or not there, so nothing of the person's is lost.
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const [database, frontend] = [choices.database, choices.frontend].map(spokenName)
  console.log(`Made ${choices.name}, on ${database} with ${frontend}. Go on there:

  cd ${relative(from, folder) || '.'}
  npm ci && npm start`)
}

/** Makes the app as it would be created today, and commits that to its branch. */
function createAgain({ folder }: Given): void {
  if (folder === undefined)
    throw new Refusal('Name the folder of the app: npm run create -- ../shop --again', 2)
  const why = whyNoBranch(folder)
  if (why) throw new Refusal(why, 1)
  const made = mkdtempSync(join(tmpdir(), 'create-'))
  try {
    create(made, choicesOf(folder), () => takeFromBranch(folder, made, 'web/brand/*.png'))
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

/** The choices that an app was made with, from its package.json. */
function choicesOf(folder: string): Choices {
  const { name, config } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    config: Omit<Choices, 'name'>
  }
  return { name, database: config.database, frontend: config.frontend }
}
