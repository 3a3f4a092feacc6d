import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { environment } from '../../internal/base/settings/config.ts'
import { Refusal } from '../build/command-line.ts'
import { displayName } from './change.ts'
import { allChoices, type Choices, type Arguments, readArguments } from './choices.ts'
import { create } from './create.ts'
import { addToBranch, beginHistory, branch, takeFromBranch, branchProblem } from './history.ts'
import { openTerminal } from './terminal.ts'

// `npm run create -- ../shop --name shop --database postgres --frontend svelte` creates a new app. With the folder of
// such an app and `--again`, its branch gets what has changed here since.
const startFolder = environment()['INIT_CWD'] ?? process.cwd()

try {
  const args = readArguments(process.argv.slice(2), startFolder)
  if (args.again) createAgain(args)
  else await createNew(args)
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  error.print()
}

async function createNew(args: Arguments): Promise<void> {
  const terminal = process.stdin.isTTY ? openTerminal(process.stdin, process.stdout) : undefined
  const { folder, ...choices } = await allChoices(args, terminal?.ask).finally(() =>
    terminal?.close(),
  )
  try {
    create(folder, choices)
    beginHistory(folder)
  } catch (error) {
    // The folder was empty or missing, so nothing of the person's is lost.
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
  const [database, frontend] = [choices.database, choices.frontend].map(displayName)
  console.log(`Made ${choices.name}, on ${database} with ${frontend}. Go on there:

  cd ${relative(startFolder, folder) || '.'}
  npm ci && npm start`)
}

/** Creates the app as of today, and commits it to the app's branch. */
function createAgain({ folder }: Arguments): void {
  if (folder === undefined)
    throw new Refusal('Name the folder of the app: npm run create -- ../shop --again', 2)
  const refusal = branchProblem(folder)
  if (refusal) throw new Refusal(refusal, 1)
  const copy = mkdtempSync(join(tmpdir(), 'create-'))
  try {
    create(copy, choicesOf(folder), () => takeFromBranch(folder, copy, 'web/brand/*.png'))
    const isNew = addToBranch(folder, copy)
    console.log(
      isNew
        ? `The branch ${branch} has what is new: git merge ${branch}`
        : `Nothing is new: the branch ${branch} has it all.`,
    )
  } finally {
    rmSync(copy, { recursive: true })
  }
}

/** Reads the choices that an app was created with from its package.json. */
function choicesOf(folder: string): Choices {
  const { name, config } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    name: string
    config: Omit<Choices, 'name'>
  }
  return { name, database: config.database, frontend: config.frontend }
}
