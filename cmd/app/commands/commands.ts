import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { appName } from '../../../web/contract/name.ts'
import { runPrinting } from './output/standard-output.ts'
import { escapeControls } from '../../../internal/base/text/escape.ts'
import { settingsHelp } from './settings-help.ts'

/** Runs one command, and returns its exit code: 0 done, 1 failed, 2 wrong usage (contract: Command line). */
export function runCommand([first = '', ...rest]: readonly string[]): Promise<number> {
  return runPrinting(() => parse([isVersion(first) ? 'version' : first, ...rest]))
}

/** Whether a word is a customary short form of `version`. */
function isVersion(word: string): boolean {
  return word === '--version' || word === '-V'
}

async function parse(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const program = commands(async (work) => {
    exitCode = await (await work())()
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    // Requested help is thrown too, with code 0, and is printed already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    throw error
  }
}

type Work = () => Promise<number>

type Run = (work: () => Promise<Work>) => Promise<void>

function commands(run: Run): Command {
  const program = new Command(appName)
    .description('A web application with user accounts, in one executable.')
    // Only for the list in help: `runCommand` has replaced the word with `version`.
    .option('-V, --version', 'the same as version')
    .exitOverride()
    // Commander's messages quote the command line, which may contain control characters.
    .configureOutput({
      outputError: (text, write) => write(text.split('\n').map(escapeControls).join('\n')),
    })
    // Help lists options without defaults: all switches are off by default.
    .configureHelp({ optionDescription: ({ description }) => description })
    // Otherwise `-V` after a command would be parsed as the program's option, and the command would run nevertheless.
    .enablePositionalOptions()
    // Replaced by `helpCommand` below: Commander's own does not report unknown commands.
    .helpCommand(false)
    .addHelpText('after', `\n\`${appName} help settings\` tells what can be set.`)
  program
    .command('serve')
    .description('serve the application; the same as no command')
    .action(() => run(async () => (await import('../serve/serve.ts')).serve))
  const migrate = program
    .command('migrate')
    .description('run new migrations; `migrate new <name>` writes one')
    .action(() => run(async () => (await import('./database/migrate.ts')).migrateDatabase))
  migrate
    .command('new')
    .argument('<name>', 'what it changes, such as add_language', readMigrationName)
    .description('write an empty migration into migrations/')
    .action((name: string) =>
      run(async () => {
        const { writeMigration } = await import('./database/migrate.ts')
        return () => writeMigration(name)
      }),
    )
  jobCommands(program, run)
  backupCommands(program, run)
  doctorCommand(program, run)
  userCommands(program, run)
  mailCommands(program, run)
  program
    .command('health')
    .description('ask the running server whether it serves; exit code 0 or 1')
    .action(() => run(async () => (await import('./health.ts')).checkHealth))
  program
    .command('version')
    .description('tell the version and the build')
    .action(() => run(async () => (await import('./version.ts')).printVersion))
  program
    .command('licenses')
    .description('print the licences of all that is inside')
    .action(() => run(async () => (await import('./licenses.ts')).printLicenses))
  helpCommand(program)
  pointAtHelp(program, 'to see what there is')
  return program
}

/** After wrong usage of a command, prints how to get its help. */
function pointAtHelp(command: Command, purpose: string, helpCommandLine = `${appName} help`): void {
  command.showHelpAfterError(`Run \`${helpCommandLine}\` ${purpose}.`)
  for (const each of command.commands)
    pointAtHelp(each, 'to see what it takes', `${helpCommandLine} ${each.name()}`)
}

function jobCommands(program: Command, run: Run): void {
  const jobs = program
    .command('jobs')
    .option('--json', 'as JSON', false)
    .description('list failed jobs; `jobs retry <id|all>` runs them')
    .action((options: { json: boolean }) =>
      run(async () => {
        const { listJobs } = await import('./jobs.ts')
        return () => listJobs(options)
      }),
    )
  jobs
    .command('retry')
    .argument('<id|all>', 'the ID of a job that the list shows, or all of them', readJobId)
    .description('run failed jobs again')
    .action((id: number | 'all') =>
      run(async () => {
        const { retryJobs } = await import('./jobs.ts')
        return () => retryJobs(id)
      }),
    )
}

// oxfmt-ignore
const ofOneUser = {
  'show':               'tell what an account has: logins, passkeys, API tokens, jobs; no secret',
  'reset-link':         'print a link that sets a new password; good for an hour',
  'logout':             'end every login of the user',
  'disable-two-factor': 'have login ask for no code any more; the user is told',
  'delete':             'delete the account with all that is its own; asks first, unless --yes is given',
} as const

function userCommands(program: Command, run: Run): void {
  const users = program
    .command('users')
    .description('look after users: `users list`, `users show <id|email>` and others')
  users
    .command('list')
    .option('--json', 'as JSON', false)
    .option('--all', 'every one, and not only the newest 100', false)
    .option('--search <text>', 'those with this text in name or email, in any case')
    .description('list users, the newest first')
    .action((options: { json: boolean; all: boolean; search?: string }) =>
      run(async () => {
        const { listUsers } = await import('./users/list-users.ts')
        return () => listUsers(options)
      }),
    )
  for (const [name, summary] of Object.entries(ofOneUser))
    oneUserCommand(users.command(name).description(summary), name as keyof typeof ofOneUser, run)
  users
    .command('set-email')
    .argument('<id|email>', 'the ID or the email of the user')
    .argument('<new email>', 'the email that the account is to have')
    .option('--json', 'as JSON', false)
    .description('give an account another email, which its owner then verifies; both are mailed')
    .action((idOrEmail: string, email: string, options: { json: boolean }) =>
      run(async () => {
        const { setEmailOf } = await import('./users/set-email.ts')
        return () => setEmailOf(idOrEmail, email, options)
      }),
    )
}

function oneUserCommand(command: Command, name: keyof typeof ofOneUser, run: Run): void {
  command
    .argument('<id|email>', 'the ID or the email of the user')
    .option('--json', 'as JSON', false)
  if (name === 'delete') command.option('--yes', 'ask nothing', false)
  command.action((idOrEmail: string, options: { json: boolean; yes?: boolean }) =>
    run(async () => {
      const { userCommands } = await import('./users/users.ts')
      return () => userCommands[name](idOrEmail, options)
    }),
  )
}

function mailCommands(program: Command, run: Run): void {
  program
    .command('mail')
    .description('`mail test <address>` sends a mail and shows what the server says')
    .command('test')
    .argument('<address>', 'where the mail goes')
    .description('send a mail and show what the server says; exit code 1 when it is not taken')
    .action((address: string) =>
      run(async () => {
        const { testMail } = await import('./mail-test.ts')
        return () => testMail(address)
      }),
    )
}

function backupCommands(program: Command, run: Run): void {
  program
    .command('backup')
    .argument('<file>', `the archive to write, such as ${appName}.tar`, readFilePath)
    .option('--force', 'replace a file of this name', false)
    .option(
      '--without-photos',
      'make one also where not one photo is there, or they cannot be read',
      false,
    )
    .description('copy database and photos into one archive, also beside a running server')
    .action((file: string, options: { force: boolean; withoutPhotos: boolean }) =>
      run(async () => {
        const { backUp } = await import('./backup/backup.ts')
        return () => backUp(file, options)
      }),
    )
  program
    .command('restore')
    .argument('<file>', 'an archive that backup wrote', readFilePath)
    .description('put a backup in place, while no server runs')
    .action((file: string) =>
      run(async () => {
        const { restore } = await import('./backup/restore.ts')
        return () => restore(file)
      }),
    )
}

function doctorCommand(program: Command, run: Run): void {
  program
    .command('doctor')
    .option('--json', 'as JSON', false)
    .description(
      'look at settings, database, disk, mail and jobs; exit code 1 when something is wrong',
    )
    .action((options: { json: boolean }) =>
      run(async () => {
        const { examine } = await import('../doctor.ts')
        return () => examine(options)
      }),
    )
}

function helpCommand(program: Command): void {
  program
    .command('help')
    .argument('[command...]', 'such as users, or users show; `help settings` tells what can be set')
    .description('tell what there is, or what a command takes')
    .action((path: string[]) => {
      if (path.join(' ') === 'settings') return console.log(settingsHelp())
      const command = path.reduce(
        (parent, word) =>
          parent.commands.find((command) => command.name() === word) ??
          parent.error(`error: unknown command '${path.join(' ')}'`),
        program,
      )
      command.outputHelp()
    })
}

function readFilePath(word: string): string {
  if (word.trim() === '' || word === '-') throw new InvalidArgumentError('Give the path of a file.')
  return word
}

function readMigrationName(word: string): string {
  if (/^[a-z0-9_]+$/.test(word)) return word
  throw new InvalidArgumentError(
    'Use lower-case letters, digits and underscores, such as add_language.',
  )
}

function readJobId(word: string): number | 'all' {
  if (word === 'all') return word
  if (!/^[0-9]{1,15}$/.test(word)) throw new InvalidArgumentError('Give the ID of a job, or all.')
  return Number(word)
}
