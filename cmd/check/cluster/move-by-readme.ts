import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { appName } from '../../../web/contract/name.ts'
import { must } from '../machine.ts'
import { Instance } from '../instance.ts'
import type { Person } from './person.ts'

const root = resolve(import.meta.dirname, '../../..')
const builtExecutable = join(root, 'dist', appName)

interface Move {
  /** The folder for all files of the move. */
  readonly folder: string
  readonly database: 'postgres' | 'mysql'
  /** The URL of an empty database on the server. */
  readonly url: string
  /** The settings without which the app does not start. */
  readonly settings: Readonly<Record<string, string>>
}

/**
 * Makes an account on SQLite, and moves it to a database server by the README's commands, as written except for their
 * paths. Returns the settings file that goes beside the executable on each machine.
 */
export async function moveByReadme(move: Move, person: (port: number) => Person): Promise<string> {
  const { folder, settings } = move
  const home = join(folder, 'one')
  mkdirSync(home)
  mkdirSync(join(folder, 'backup'))
  writeFileSync(join(home, '.env'), lines(settings), { mode: 0o600 })
  execFileSync(process.execPath, ['build.ts', '--quiet', '--database', 'sqlite'], { cwd: root })
  const executable = join(home, appName)
  cpSync(builtExecutable, executable)
  const port = await freePort()
  const ownSettings = { HOME: home, PORT: String(port), LOG_FORMAT: 'json' }
  const server = new Instance(executable, ownSettings, () => {})
  await server.start()
  try {
    await person(port).register()
    const before = listAccounts(executable, home)
    for (const command of readmeCommands(readme(), move, executable)) {
      if (command.includes(' backup ')) await server.stop()
      console.log(command)
      execFileSync('bash', ['-c', command], { cwd: home, stdio: ['ignore', 'inherit', 'inherit'] })
    }
    must(
      'the accounts are the same after the commands of the README',
      before.length === 1 && isDeepStrictEqual(listAccounts(builtExecutable, home), before),
    )
  } finally {
    await server.stop()
  }
  return join(home, '.env')
}

function lines(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

function listAccounts(executable: string, cwd: string): unknown[] {
  const args = ['users', 'list', '--all', '--json']
  return JSON.parse(execFileSync(executable, args, { cwd, encoding: 'utf8' })) as unknown[]
}

function readme(): string {
  return readFileSync(join(root, 'README.md'), 'utf8')
}

/** Returns the lines of that section's first block, with this check's paths. Throws if the README lacks a path. */
function readmeCommands(
  text: string,
  { folder, database, url }: Move,
  executable: string,
): string[] {
  const title = '### When one machine is no longer enough\n'
  const block = /```sh\n([^]*?)```/.exec(text.slice(text.indexOf(title)))?.[1] ?? ''
  const replacements: readonly (readonly [string | RegExp, string])[] = [
    [
      'npm run build -- --database postgres',
      `npm --prefix ${root} run build -- --quiet --database ${database}`,
    ],
    [`/usr/local/bin/${appName}`, executable],
    [/\/srv\/backup\//g, `${join(folder, 'backup')}/`],
    [/DB_URL=[^']+/, `DB_URL=${url}`],
    ['/mnt/photos', join(folder, 'files')],
    ['192.0.2.10', 'loopback'],
    [new RegExp(`^dist/${appName}(?= )`, 'gm'), builtExecutable],
  ]
  const script = replacements.reduce((script, [from, to]) => {
    const next = script.replace(from, to)
    if (next === script) throw new Error(`The README no longer says ${String(from)} there.`)
    return next
  }, block)
  return script.trim().split('\n')
}
