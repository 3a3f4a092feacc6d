import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { appName } from '../../web/contract/name.ts'
import { settingsHelp } from './settings-help.ts'

/** Runs one command and returns its exit code: 0 done, 1 failed, 2 wrong usage, 3 wrong configuration (contract: Command line). */
export async function runCommand(words: readonly string[]): Promise<number> {
  let exitCode = 0
  const program = commands(async (work) => {
    exitCode = await (await work())()
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return exitCode
  } catch (error) {
    // Help that was asked for ends this way too, with code 0; its words are out already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}

type Work = () => Promise<number>

type Run = (work: () => Promise<Work>) => Promise<void>

function commands(run: Run): Command {
  const program = new Command(appName)
    .description('A web application with user accounts, in one executable over one SQLite file.')
    .exitOverride()
    .showHelpAfterError(`Run \`${appName} help\` to see what there is.`)
    // Without it the command goes missing beside an action of the program's own.
    .helpCommand(true)
    .addHelpText('after', settingsHelp)
  program
    .command('serve')
    .summary('serve the application; the same as no command')
    .action(() => run(async () => (await import('./serve.ts')).serve))
  const migrate = program
    .command('migrate')
    .summary('run new migrations; `migrate new <name>` writes one')
    .action(() => run(async () => (await import('./migrate.ts')).migrateDatabase))
  migrate
    .command('new')
    .argument('<name>', 'what it changes, such as add_language')
    .summary('write an empty migration into migrations/')
    .action((name: string) =>
      run(async () => {
        const { writeMigration } = await import('./migrate.ts')
        return () => writeMigration(name)
      }),
    )
  jobCommands(program, run)
  program
    .command('version')
    .summary('tell the version and the build')
    .action(() => run(async () => (await import('./version.ts')).printVersion))
  return program
}

function jobCommands(program: Command, run: Run): void {
  const jobs = program
    .command('jobs')
    .option('--json', 'as JSON', false)
    .summary('list failed jobs; `jobs retry <id|all>` runs them')
    .action((options: { json: boolean }) =>
      run(async () => {
        const { listJobs } = await import('./jobs.ts')
        return () => listJobs(options)
      }),
    )
  jobs
    .command('retry')
    .argument('<id|all>', 'the ID of a job that the list shows, or all of them', readWhich)
    .summary('run failed jobs again')
    .action((which: number | 'all') =>
      run(async () => {
        const { retryJobs } = await import('./jobs.ts')
        return () => retryJobs(which)
      }),
    )
}

function readWhich(word: string): number | 'all' {
  if (word === 'all') return word
  if (!/^[0-9]{1,15}$/.test(word)) throw new InvalidArgumentError('Give the ID of a job, or all.')
  return Number(word)
}
