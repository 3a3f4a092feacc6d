import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import { ConfigError } from './config-error.ts'
import type { DatabaseSetting, Environment } from './config.ts'
import { readConfig } from './read-config.ts'
import { newKey, settings } from './settings.ts'

const key = `base64:${Buffer.alloc(32, 7).toString('base64')}`
const least = { APP_URL: 'https://accounts.example.com', APP_KEY: key }

/** Makes a folder with these files in it. */
function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** A build that keeps its data in a file, and one that keeps it on a server. */
const inFile: DatabaseSetting = { setting: 'DB_PATH', faultsOf: () => ['Leave it out.'] }
const onServer: DatabaseSetting = {
  setting: 'DB_URL',
  faultsOf: (url) => (url.startsWith('sql://') ? [] : ['Write sql:// and a host.', 'Name it.']),
}

type Files = Readonly<Record<string, string>>

function read(environment: Environment, files: Files = {}, database = inFile) {
  const places = { folder: folderWith(files), beside: '/opt/app', terminal: false, database }
  return readConfig({ environment, ...places })
}

function faults(environment: Environment, files: Files = {}, database = inFile) {
  try {
    read(environment, files, database)
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

const variables = (environment: Environment, files?: Readonly<Record<string, string>>) =>
  faults(environment, files).map((fault) => fault.variable)

test('APP_URL and APP_KEY are enough, and every other setting has its default', () => {
  const folder = folderWith({})
  const places = { folder, beside: '/opt/app', terminal: true, database: inFile }
  const source = { environment: least, ...places }
  expect(readConfig(source)).toEqual({
    config: {
      keys: [Buffer.alloc(32, 7)],
      origin: 'https://accounts.example.com',
      https: true,
      debug: false,
      host: '127.0.0.1',
      port: 3000,
      trustedProxies: [],
      database: { file: join(folder, `${appName}.db`) },
      queueWorkers: 4,
      files: { disk: 'local', path: '/opt/app/files' },
      sessionStore: 'cookie',
      corsOrigins: [],
      mail: undefined,
      links: {},
      log: { level: 'info', format: 'text' },
    },
    warnings: [],
  })
})

test('settings of the server, database, mail, links and log are read from the environment', () => {
  const other = newKey()
  const { config } = read({
    APP_URL: 'http://localhost:8080/',
    APP_KEY: key,
    APP_PREVIOUS_KEYS: `${other}, ${key}`,
    APP_DEBUG: 'true',
    HOST: '::1',
    PORT: '0',
    TRUSTED_PROXIES: 'loopback, 10.0.0.0/8',
    DB_PATH: '/var/lib/app/data.db',
    QUEUE_WORKERS: '0',
    FILES_PATH: '/var/lib/app/files',
    SESSION_STORE: 'cookie',
    CORS_ORIGINS: 'https://a.example,http://b.example:81',
    MAIL_HOST: 'smtp.example.com',
    MAIL_PORT: '465',
    MAIL_USERNAME: 'user',
    MAIL_PASSWORD: ' pass#word ',
    MAIL_FROM_ADDRESS: 'app@example.com',
    MAIL_FROM_NAME: 'The App',
    SUPPORT_ADDRESS: 'a+b@example.com',
    TERMS_URL: 'https://example.com/terms?of=1#here',
    PRIVACY_URL: 'http://example.com',
    LOG_LEVEL: 'debug',
    LOG_FORMAT: 'text',
  })
  expect(config).toEqual({
    keys: [Buffer.alloc(32, 7), Buffer.from(other.slice(7), 'base64')],
    origin: 'http://localhost:8080',
    https: false,
    debug: true,
    host: '::1',
    port: 0,
    trustedProxies: ['loopback', '10.0.0.0/8'],
    database: { file: '/var/lib/app/data.db' },
    queueWorkers: 0,
    files: { disk: 'local', path: '/var/lib/app/files' },
    sessionStore: 'cookie',
    corsOrigins: ['https://a.example', 'http://b.example:81'],
    sender: { address: 'app@example.com', name: 'The App' },
    mail: {
      host: 'smtp.example.com',
      port: 465,
      username: 'user',
      password: ' pass#word ',
      from: { address: 'app@example.com', name: 'The App' },
    },
    links: {
      support: { text: 'a+b@example.com', href: 'mailto:a%2Bb@example.com' },
      terms: 'https://example.com/terms?of=1#here',
      privacy: 'http://example.com/',
    },
    log: { level: 'debug', format: 'text' },
  })
})

test('missing APP_URL and APP_KEY are both reported with a line to add', () => {
  const [url, appKey, ...rest] = faults({})
  expect(url).toEqual({
    variable: 'APP_URL',
    message:
      'APP_URL is not set. Write http:// or https:// and a host, with no path, query, user or password.',
    line: 'APP_URL=https://accounts.example.com',
  })
  expect(appKey?.message).toContain('APP_KEY is not set.')
  expect(rest).toEqual([])
  const line = appKey?.line.replace('APP_KEY=', '')
  expect(read({ ...least, APP_KEY: line }).config.keys[0]).toHaveLength(32)
  expect(faults({})[1]?.line).not.toBe(appKey?.line)
})

test('all invalid settings are reported at once, each with what to write', () => {
  const environment = {
    APP_URL: 'https://x.test/path',
    APP_KEY: 'short',
    MAIL_PORT: 'abc',
    PORT: '65536',
  }
  expect(variables(environment)).toEqual(['APP_URL', 'APP_KEY', 'PORT', 'MAIL_PORT'])
  expect(() => read(environment)).toThrow(ConfigError)
  expect(() => read(environment)).toThrow(
    '  MAIL_PORT is "abc". Write a whole number from 1 to 65535.\n      MAIL_PORT=587\n',
  )
})

test('a DB_PATH that is not a file path is reported with everything that it must not be', () => {
  const messages = ['/', 'file:app.db', ':memory:', ' :memory:', ' '].map((path) => {
    const [fault] = faults({ ...least, DB_PATH: path })
    return fault?.message
  })
  const must =
    'Write the path of a file, such as accounts.db: no folder, no address that begins with file:, no space at either end, and not :memory:, which would lose every account.'
  expect(messages).toEqual(
    ['/', 'file:app.db', ':memory:', ' :memory:', ' '].map(
      (path) => `DB_PATH is "${path}". ${must}`,
    ),
  )
})

test('adding the suggested line of each missing setting leaves no fault', () => {
  const lines = faults({ ...least, MAIL_HOST: 'x', FILESYSTEM_DISK: 's3', MAIL_USERNAME: 'u' })
  const added = lines.map((fault) => fault.line.split('=') as [string, string])
  expect(added.map(([name]) => name)).toEqual([
    'AWS_ACCESS_KEY_ID',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_DEFAULT_REGION',
    'AWS_BUCKET',
    'MAIL_PASSWORD',
    'MAIL_FROM_ADDRESS',
  ])
  const mended = { ...least, MAIL_HOST: 'x', FILESYSTEM_DISK: 's3', MAIL_USERNAME: 'u' }
  expect(faults({ ...mended, ...Object.fromEntries(added) })).toEqual([])
})

test('the example of every setting is valid, except those of APP_KEY and APP_PREVIOUS_KEYS', () => {
  const described = ['APP_KEY', 'APP_PREVIOUS_KEYS']
  const unreadable = Object.entries(settings).filter(
    ([, setting]) => setting.type.read(setting.example) === undefined,
  )
  expect(unreadable.map(([name]) => name)).toEqual(described)
})

/** Returns the values of a variable that are accepted although they are not of its type. */
function accepted(name: string, values: readonly string[]) {
  return values.filter((value) => !variables({ ...least, [name]: value }).includes(name))
}

// oxfmt-ignore
test('a value of the wrong type is refused', () => {
  expect(accepted('APP_URL', ['accounts.example.com', 'ftp://x.test', 'https://', 'https://x.test/a', 'https://x.test?a',
    'https://x.test#a', 'https://u:p@x.test', 'https://x.test:99999', 'https://*.x.test', 'https:\\\\x.test', ' https://x.test'])).toEqual([])
  expect(accepted('APP_KEY', [key.slice(7), `${key}=`, key.slice(0, -2), `base64:${'A'.repeat(44)}`, 'base64:', ` ${key}`])).toEqual([])
  expect(accepted('APP_PREVIOUS_KEYS', ['x', `${key},x`, `${key};${key}`])).toEqual([])
  expect(accepted('APP_DEBUG', ['1', 'yes', 'TRUE'])).toEqual([])
  expect(accepted('HOST', ['http://x', 'x:80', '[::1]', '*', '256.1.1.1', 'a b'])).toEqual([])
  expect(accepted('PORT', ['-1', '65536', '80a', '1e3', '0x50', '3000.0', ' 80'])).toEqual([])
  expect(accepted('TRUSTED_PROXIES', ['*', 'proxy', '10.0.0.0/33', 'loopback;private'])).toEqual([])
  expect(accepted('DB_PATH', [':memory:', ' :memory:', ':memory: ', 'file:app.db', 'data/', ' ', 'app.db '])).toEqual([])
  expect(accepted('QUEUE_WORKERS', ['-1', '1.5', 'all', '99999999999999999'])).toEqual([])
  expect(accepted('FILESYSTEM_DISK', ['S3', 'disk'])).toEqual([])
  expect(accepted('CORS_ORIGINS', ['*', 'null', 'https://x.test/a', 'https://x.test https://y.test'])).toEqual([])
  expect(accepted('MAIL_HOST', ['smtp://x', 'x:25', 'user@x'])).toEqual([])
  expect(accepted('MAIL_PORT', ['0', 'abc', '65536', 'smtp'])).toEqual([])
  expect(accepted('MAIL_FROM_ADDRESS', ['app', 'App <app@x.test>', 'a@x.test, b@x.test'])).toEqual([])
  expect(accepted('AWS_ENDPOINT', ['s3.example.com', 'https://u:p@x.test', 'https://x.test?a=b'])).toEqual([])
  expect(accepted('AWS_USE_PATH_STYLE_ENDPOINT', ['1'])).toEqual([])
  expect(accepted('AWS_BUCKET', ['a/b', 'a', '-ab', 'photos?x', 'a b'])).toEqual([])
  expect(accepted('AWS_DEFAULT_REGION', ['eu.central', 'eu/1', 'x@y'])).toEqual([])
  expect(accepted('SUPPORT_ADDRESS', ['help', 'mailto:help@x.test', 'Help <help@x.test>', '/help', 'javascript:alert(1)'])).toEqual([])
  expect(accepted('TERMS_URL', ['/terms', '//x.test/terms', 'x.test/terms', 'javascript:alert(1)', 'https://u:p@x.test', 'https:// x.test'])).toEqual([])
  expect(accepted('LOG_LEVEL', ['trace', 'INFO'])).toEqual([])
  expect(accepted('LOG_FORMAT', ['xml'])).toEqual([])
  expect(accepted('MAIL_FROM_NAME', ['a\nBcc: b', 'a\0'])).toEqual([])
})

test('SUPPORT_ADDRESS takes an email or a page, and TERMS_URL only a whole URL', () => {
  const page = 'https://example.com/help'
  const { config } = read({ ...least, SUPPORT_ADDRESS: page })
  const linkFaults = faults({ ...least, SUPPORT_ADDRESS: 'help', TERMS_URL: '/terms' })
  expect(config.links.support).toEqual({ text: page, href: page })
  expect(linkFaults.map(({ message }) => message)).toEqual([
    'SUPPORT_ADDRESS is "help". Write an email address, such as help@example.com, or the whole address of a page, such as https://example.com/help.',
    'TERMS_URL is "/terms". Write a whole address that begins with https:// or http://. A path alone leads nowhere from a mail.',
  ])
})

test('DB_URL is refused in a build that stores its data in a file', () => {
  const [fault] = faults({ ...least, DB_URL: 'sql://user:secret@db/app' })
  expect(fault).toEqual({
    variable: 'DB_URL',
    message: 'DB_URL cannot be used. Leave it out.',
    line: `DB_PATH=${appName}.db`,
  })
})

test('a build for a database server requires DB_URL, reports all its faults and reads it from a file', () => {
  const line = `DB_URL=${settings.DB_URL.example}`
  const expectedFault = (problem: string, must: string) => {
    return { variable: 'DB_URL', message: `DB_URL ${problem}. ${must}`, line }
  }
  const musts = ['Write sql:// and a host.', 'Name it.']
  expect(faults(least, {}, onServer)).toEqual(
    musts.map((must) => expectedFault('is not set', must)),
  )
  expect(faults({ ...least, DB_URL: 'x:hunter2@db' }, {}, onServer)).toEqual(
    musts.map((must) => expectedFault('cannot be used', must)),
  )
  const { config } = read({ ...least, DB_URL_FILE: 'url' }, { url: 'sql://db\n' }, onServer)
  expect(config.database).toEqual({ url: 'sql://db' })
})

test('SESSION_STORE takes only cookie or database', () => {
  const { config } = read({ ...least, SESSION_STORE: 'database' })
  const [fault] = faults({ ...least, SESSION_STORE: 'redis' })
  expect(config.sessionStore).toBe('database')
  expect(fault?.message).toBe('SESSION_STORE is "redis". Write cookie or database.')
})

test('no error contains a secret or a password in an address', () => {
  const printed = JSON.stringify(
    faults({
      APP_URL: 'https://user:hunter2@x.test',
      APP_KEY: 'base64:hunter2',
      APP_PREVIOUS_KEYS: 'hunter2',
      DB_URL: 'sql://root:hunter2@db/app',
      MAIL_HOST: 'user:hunter2@smtp.test',
      MAIL_PASSWORD: 'hunter2\n\n',
    }),
  )
  expect(printed).toContain('MAIL_PASSWORD')
  expect(printed).not.toContain('hunter2')
})

test('an invalid value is printed in quotes, shortened and with control characters escaped', () => {
  const [fault] = faults({ ...least, LOG_LEVEL: `\x1b[2J\n${'x'.repeat(500)}` })
  expect(fault?.message).toMatch(/^LOG_LEVEL is "\\u001b\[2J\\nx+…"\. Leave out its line breaks/)
  expect(fault?.message.length).toBeLessThan(200)
})

test('an empty setting counts as unset', () => {
  const empty = Object.fromEntries(Object.keys(settings).map((name) => [name, '']))
  expect(read({ ...empty, ...least, APP_KEY_FILE: '' }).config).toMatchObject({ port: 3000 })
  expect(variables(empty)).toEqual(['APP_URL', 'APP_KEY'])
})

test('settings are read from .env in the working folder, and the environment overrides them', () => {
  const files = { '.env': `APP_URL=https://file.test\nexport APP_KEY='${key}'\nPORT=1\nHOST=::1\n` }
  const { config } = read({ PORT: '2', HOST: '' }, files)
  expect(config).toMatchObject({ origin: 'https://file.test', port: 2, host: '::1' })
})

test('an unreadable line of .env is reported by its number without its text', () => {
  const [fault] = faults(least, { '.env': 'PORT=1\nAPP_KEY base64:hunter2\n' })
  expect(fault).toMatchObject({
    variable: '.env',
    message: '.env has no name and value on line 2. Write one, or put a # before it.',
  })
})

test('a .env that cannot be read is an error', () => {
  const folder = folderWith({})
  const source = {
    environment: least,
    folder: join(folder, 'no\0folder'),
    beside: '/',
    terminal: false,
    database: inFile,
  }
  expect(() => readConfig(source)).toThrow('.env cannot be read')
})

test('a secret read from a file loses its byte order mark and last line break, and nothing else', () => {
  const files = { key: `\ufeff${key}\n`, password: ' two lines? no \r\n' }
  const names = { APP_KEY_FILE: 'key', MAIL_PASSWORD_FILE: 'password' }
  const mail = { MAIL_HOST: 'localhost', MAIL_USERNAME: 'u', MAIL_FROM_ADDRESS: 'app@localhost' }
  const { config } = read({ APP_URL: least.APP_URL, ...names, ...mail }, files)
  expect(config.keys[0]).toEqual(Buffer.alloc(32, 7))
  expect(config.mail?.password).toBe(' two lines? no ')
})

test('every secret setting can be read from a file', async () => {
  const bucket = { FILESYSTEM_DISK: 's3', AWS_BUCKET: 'photos', AWS_DEFAULT_REGION: 'eu-west-1' }
  const mail = { MAIL_HOST: 'localhost', MAIL_USERNAME: 'u', MAIL_FROM_ADDRESS: 'app@localhost' }
  const plain: Readonly<Record<string, string>> = {
    APP_KEY: key,
    APP_PREVIOUS_KEYS: `base64:${Buffer.alloc(32, 8).toString('base64')}`,
    DB_URL: 'sql://user:hunter2@db',
    AWS_ACCESS_KEY_ID: 'AKIA0',
    AWS_SECRET_ACCESS_KEY: 'hunter3',
    MAIL_PASSWORD: 'hunter4',
  }
  const secrets = Object.entries(settings)
    .filter(([, setting]) => 'secret' in setting)
    .map(([name]) => name)
  const rest = { APP_URL: least.APP_URL, ...bucket, ...mail }
  const named = Object.fromEntries(secrets.map((name) => [`${name}_FILE`, name]))
  expect(Object.keys(plain)).toEqual(secrets)
  expect(read({ ...rest, ...named }, plain, onServer).config).toEqual(
    read({ ...rest, ...plain }, {}, onServer).config,
  )
})

test('a missing or empty secret file is reported as the only fault of that secret', () => {
  const [fault, ...rest] = faults({ APP_URL: least.APP_URL, APP_KEY_FILE: '/no/such/file' })
  expect(fault).toEqual({
    variable: 'APP_KEY_FILE',
    message:
      'APP_KEY_FILE names "/no/such/file", which cannot be read (ENOENT). Name a file that can.',
    line: 'APP_KEY_FILE=/run/secrets/app_key',
  })
  expect(rest).toEqual([])
  const environment = { ...least, MAIL_PASSWORD_FILE: 'empty', MAIL_USERNAME: 'u' }
  expect(variables(environment, { empty: '\n' })).toEqual(['MAIL_PASSWORD_FILE'])
})

test('a secret set both directly and by file is refused', () => {
  const [fault, ...rest] = faults({ ...least, APP_KEY_FILE: 'key' }, { key })
  expect(fault?.message).toBe('APP_KEY and APP_KEY_FILE are both set. Leave one of them out.')
  expect(rest).toEqual([])
})

test('a secret in the environment overrides a file named in .env', () => {
  const files = { '.env': 'APP_KEY_FILE=/no/such/file\n' }
  expect(read(least, files).config.keys).toHaveLength(1)
})

test('MAIL_HOST requires a sender, and a user name and a password require each other', () => {
  expect(variables({ ...least, MAIL_HOST: 'smtp.test' })).toEqual(['MAIL_FROM_ADDRESS'])
  expect(variables({ ...least, MAIL_PASSWORD: 'x' })).toEqual(['MAIL_USERNAME'])
  expect(variables({ ...least, MAIL_USERNAME: 'x' })).toEqual(['MAIL_PASSWORD'])
  expect(variables({ ...least, MAIL_HOST: 'smtp.test', MAIL_FROM_ADDRESS: 'x' })).toEqual([
    'MAIL_FROM_ADDRESS',
  ])
})

test('all settings of a bucket are read from the environment', () => {
  const { config } = read({
    ...least,
    FILESYSTEM_DISK: 's3',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_BUCKET: 'photos',
    AWS_ENDPOINT: 'https://s3.example.com/',
    AWS_USE_PATH_STYLE_ENDPOINT: 'true',
    AWS_URL: 'https://cdn.example.com/photos/',
  })
  expect(config.files).toEqual({
    disk: 's3',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
    region: 'eu-central-1',
    bucket: 'photos',
    endpoint: 'https://s3.example.com',
    pathStyle: true,
    url: 'https://cdn.example.com/photos',
  })
})

test('a bucket at an IP address requires AWS_USE_PATH_STYLE_ENDPOINT', () => {
  const bucket = {
    ...least,
    FILESYSTEM_DISK: 's3',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_BUCKET: 'photos',
  }
  const faultyVariables = (endpoint: string, more = {}) =>
    variables({ ...bucket, AWS_ENDPOINT: endpoint, ...more })
  expect(faultyVariables('http://127.0.0.1:9000')).toEqual(['AWS_USE_PATH_STYLE_ENDPOINT'])
  expect(faultyVariables('http://[::1]:9000')).toEqual(['AWS_USE_PATH_STYLE_ENDPOINT'])
  expect(faultyVariables('http://localhost:9000')).toEqual([])
  expect(faultyVariables('http://127.0.0.1:9000', { AWS_USE_PATH_STYLE_ENDPOINT: 'true' })).toEqual(
    [],
  )
})

test('a name in .env that looks like a setting but is not one causes a warning, and other names do not', () => {
  const env = 'MAIL_PASWORD=x\nAPP_NAME=x\nPROT=1\nNODE_ENV=x\nAPP_KEY_FILE=\nHOME_DIR=x\n'
  const { warnings } = read({ ...least, MAIL_PROT: 'x' }, { '.env': env })
  expect(warnings.map(({ message }) => message)).toEqual([
    '.env sets MAIL_PASWORD, which is no setting. Is MAIL_PASSWORD meant?',
    '.env sets APP_NAME, which is no setting.',
    '.env sets PROT, which is no setting. Is PORT meant?',
  ])
  expect(new Set(warnings.map(({ advice }) => advice))).toEqual(
    new Set(['Correct the name in .env, or remove it.']),
  )
})

test('a missing setting is reported with its misspelt name in .env, in upper or lower case', () => {
  for (const name of ['APP_UR', 'app_url']) {
    const { APP_URL: url, ...others } = least
    const reading = () => read(others, { '.env': `${name}=${url}\n` })
    expect(reading).toThrow(ConfigError)
    expect(reading).toThrow(
      `\n  .env sets ${name}, which is no setting. Is APP_URL meant?\n\nCorrect these lines`,
    )
  }
})

test('a database server without FILES_PATH causes a warning that photos are stored on this machine', () => {
  const settings = { ...least, DB_URL: 'sql://host/app' }
  const warnings = (more: Environment) => read({ ...settings, ...more }, {}, onServer).warnings
  expect(warnings({})).toEqual([
    {
      message: 'Photos are kept in /opt/app/files, a folder of this machine.',
      advice:
        'Where several servers are on one database, set FILES_PATH to a folder that all of them share, or FILESYSTEM_DISK=s3.',
    },
  ])
  expect(warnings({ FILES_PATH: '/srv/photos' })).toEqual([])
  expect(warnings({ APP_DEBUG: 'true' })).toEqual([])
  expect(read(least).warnings).toEqual([])
})
