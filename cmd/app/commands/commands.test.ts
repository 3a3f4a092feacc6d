import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrationsFolder } from '#db/migrations'
import { appName } from '../../../web/contract/name.ts'
import { settings } from '../../../internal/base/settings/settings.ts'
import { executable } from '../../../internal/testing/processes/build.ts'
import {
  emptyFolder,
  requiredSettings,
  run,
  serve,
} from '../../../internal/testing/processes/executable.ts'

test('help lists every command on one screen and points to help settings', async () => {
  const { code, stdout } = await run(['help'])
  expect(code).toBe(0)
  const listedCommands = [...stdout.matchAll(/^ {2}([a-z]+) .+$/gm)].map(([, name]) => name)
  const commands =
    'serve migrate jobs backup restore doctor users mail health version licenses help'
  expect(listedCommands, 'One of your own goes into this list too.').toEqual(commands.split(' '))
  expect(stdout).toContain('migrate new <name>')
  expect(stdout).toContain('jobs retry <id|all>')
  expect(stdout).toContain(`${appName} help settings`)
  expect(stdout.split('\n').length).toBeLessThan(40)
})

test('help settings lists every setting, and no command', async () => {
  const { code, stdout, stderr } = await run(['help', 'settings'])
  const listedSettings = Object.keys(settings).filter((name) => stdout.includes(`\n  ${name}`))
  expect([code, stderr]).toEqual([0, ''])
  expect(listedSettings).toEqual(Object.keys(settings))
  expect(stdout).not.toContain('migrate')
})

test('help of a command lists its subcommands and their arguments', async () => {
  const { code, stdout } = await run(['help', 'migrate'])
  expect(code).toBe(0)
  expect(stdout).toContain('new <name>')
})

test('help describes a command at any depth and rejects an unknown one', async () => {
  const [nestedHelp, unknownCommand] = await Promise.all([
    run(['help', 'users', 'delete']),
    run(['help', 'back']),
  ])
  expect([nestedHelp.code, unknownCommand.code, unknownCommand.stdout]).toEqual([0, 2, ''])
  expect(nestedHelp.stdout).toContain(`Usage: ${appName} users delete`)
  expect(nestedHelp.stdout).toContain('\ndelete the account with all that is its own; asks first,')
  expect(nestedHelp.stdout).not.toContain('default: false')
  expect(unknownCommand.stderr).toMatch(/^error: unknown command 'back'\n/)
})

test('version prints the version of package.json and the build', async () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const { code, stdout } = await run(['version'])
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^${appName} ${manifest.version} \\(build [0-9a-f]{16}\\)\n$`))
})

test('--version and -V print what version prints, and are wrong usage with any other argument', async () => {
  const commands = [['version'], ['--version'], ['-V'], ['-V', 'twice'], ['jobs', '-V']]
  const [version, long, short, ...wrong] = await Promise.all(commands.map((each) => run(each)))
  expect([long, short]).toEqual([version, version])
  expect(wrong.map(({ code, stdout }) => [code, stdout])).toEqual([
    [2, ''],
    [2, ''],
  ])
})

test('wrong usage of a command points to the help of that command', async () => {
  const commands = [
    ['users', 'lst'],
    ['users', 'show'],
    ['jobs', 'retry', 'x'],
    ['help', 'mail', 'x'],
  ]
  const results = await Promise.all(commands.map((each) => run(each)))
  const helpCommands = results.map(
    ({ stderr }) => /`(.+)` to see what it takes\.\n$/.exec(stderr)?.[1],
  )
  expect(results.map(({ code }) => code)).toEqual([2, 2, 2, 2])
  expect(helpCommands).toEqual(
    ['users', 'users show', 'jobs retry', 'mail'].map((command) => `${appName} help ${command}`),
  )
})

test('help settings with a further argument is wrong usage', async () => {
  const { code, stdout, stderr } = await run(['help', 'settings', 'x'])
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^error: unknown command 'settings x'\n/)
})

test('help and version need no settings and create no files', async () => {
  const folder = emptyFolder()
  const commands = [['help'], ['help', 'settings'], ['version']]
  const results = await Promise.all(commands.map((each) => run(each, { folder })))
  expect(results.map(({ code, stderr }) => [code, stderr])).toEqual(commands.map(() => [0, '']))
  expect(readdirSync(folder)).toEqual([])
})

test('a command started in a deleted working folder says so in one line', async () => {
  const inside = 'mkdir gone; cd gone; rmdir ../gone; exec "$0" jobs'
  const { status, stderr } = spawnSync('/bin/sh', ['-c', inside, executable], {
    cwd: emptyFolder(),
    env: await requiredSettings(),
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^.+: The working folder is gone: .+\n$/),
  ])
})

test('an unknown command ends with exit code 2 and a message that names it', async () => {
  const { code, stdout, stderr } = await run(['srve'])
  expect(code).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain('srve')
  expect(stderr).toContain(`${appName} help`)
})

test('error messages about wrong arguments contain no terminal control characters', async () => {
  const word = '\u001b[31m\u009b31m'
  const commands = [[word], ['help', word], ['jobs', 'retry', word], [`--${word}`], ['serve', word]]
  const results = await Promise.all(commands.map((args) => run(args)))
  expect(results.map(({ code }) => code)).toEqual(commands.map(() => 2))
  expect(results.filter(({ stderr }) => /(?!\n)\p{Cc}/u.test(stderr))).toEqual([])
})

test('an extra argument, a missing one or an unknown option ends with exit code 2 and an error on stderr', async () => {
  const commands = [
    'serve twice',
    'version twice',
    '--fast',
    'migrate new',
    'migrate back',
    'jobs retry',
    'jobs retry x',
    'jobs lost',
  ]
  const results = await Promise.all(commands.map((command) => run(command.split(' '))))
  expect(results.map(({ code }) => code)).toEqual(commands.map(() => 2))
  expect(results.map(({ stdout }) => stdout)).toEqual(commands.map(() => ''))
  expect(results.filter(({ stderr }) => !stderr.startsWith('error: '))).toEqual([])
})

test('the report of missing settings names the folder when that has no .env', async () => {
  const folder = emptyFolder()
  const commands = [[], ['jobs'], ['doctor']]
  const runAll = () => Promise.all(commands.map((each) => run(each, { folder })))
  const withoutDotEnv = await runAll()
  writeFileSync(join(folder, '.env'), 'PORT=3000\n')
  const withDotEnv = await runAll()
  const folderHint = `There is no .env in ${folder}, where this was started`
  const hintCounts = (results: typeof withoutDotEnv) =>
    results.map(({ code, stdout, stderr }) => [
      code,
      (stdout + stderr).split(folderHint).length - 1,
    ])
  expect(hintCounts(withoutDotEnv)).toEqual(commands.map(() => [3, 1]))
  expect(hintCounts(withDotEnv)).toEqual(commands.map(() => [3, 0]))
  expect(withoutDotEnv[1]?.stderr).toContain(
    `\n${folderHint}: start it in the folder that has one, put these lines into a new one, or set the variables in the environment.`,
  )
  expect(withDotEnv[1]?.stderr).toContain('\nCorrect these lines in .env, or set the variables in ')
})

test('a start without settings ends with exit code 3 and prints the lines to add', async () => {
  const { code, stdout, stderr } = await run([])
  expect(code).toBe(3)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/APP_URL is not set\..*\n +APP_URL=https:\/\//)
  expect(stderr).toMatch(/APP_KEY is not set\..*\n +APP_KEY=base64:[A-Za-z0-9+/]{43}=\n/)
})

test('the lines printed for missing settings are enough to serve', async () => {
  const { stderr } = await run([])
  const folder = emptyFolder()
  const lines = [...stderr.matchAll(/^ {6}([A-Z_]+=.*)$/gm)].map(([, line]) => line)
  writeFileSync(join(folder, '.env'), `${lines.join('\n')}\n`)
  const app = await serve({ folder, settings: { APP_URL: '', APP_KEY: '' } })
  const up = await fetch(`http://127.0.0.1:${app.port}/up`)
  expect(up.status).toBe(200)
  expect(lines).toContain(`APP_URL=${String(app.start.url)}`)
})

test('a MAIL_PORT that is not a port is reported with the line to write instead', async () => {
  const settings = { ...(await requiredSettings()), MAIL_PORT: 'smtp' }
  const { code, stderr } = await run([], { settings })
  expect(code).toBe(3)
  expect(stderr).toMatch(/MAIL_PORT is "smtp"\..*\n +MAIL_PORT=587\n/)
})

test('all faulty settings are reported at once', async () => {
  const faulty = { PORT: '70000', MAIL_HOST: 'smtp.example.com', LOG_LEVEL: 'loud' }
  const { code, stderr } = await run([], { settings: faulty })
  const variables = [...stderr.matchAll(/^ {2}([A-Z_]+) (?:is|cannot)/gm)].map(([, name]) => name)
  const faults = ['APP_URL', 'APP_KEY', 'PORT', 'LOG_LEVEL', 'MAIL_FROM_ADDRESS']
  expect(code).toBe(3)
  expect(new Set(variables)).toEqual(new Set(faults))
})

test('migrate new creates an empty file named by timestamp and change, and prints its path', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, migrationsFolder), { recursive: true })
  const { code, stdout } = await run(['migrate', 'new', 'add_language'], { folder })
  const [name] = readdirSync(join(folder, migrationsFolder))
  expect(code).toBe(0)
  expect(name).toMatch(/^\d{14}_add_language\.sql$/)
  expect(stdout).toBe(`${migrationsFolder}/${name}\n`)
  expect(readFileSync(join(folder, migrationsFolder, name ?? ''), 'utf8')).toBe('')
})

test('migrate new outside a checkout fails and names the missing folder in one line', async () => {
  const folder = emptyFolder()
  const { code, stdout, stderr } = await run(['migrate', 'new', 'add_language'], { folder })
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(
    `${appName}: There is no folder ${join(folder, migrationsFolder)}: migrations are written in a checkout of the project.\n`,
  )
})

test('migrate new refuses a name with anything but lower-case letters, digits and underscores', async () => {
  const folder = emptyFolder()
  mkdirSync(join(folder, migrationsFolder), { recursive: true })
  for (const name of ['../outside', 'Add language', '']) {
    const { code, stderr } = await run(['migrate', 'new', name], { folder })
    expect([code, stderr]).toEqual([2, expect.stringContaining(`'${name}'`)])
    expect(stderr).toContain('Use lower-case letters, digits and underscores')
  }
  expect(readdirSync(join(folder, migrationsFolder))).toEqual([])
})
