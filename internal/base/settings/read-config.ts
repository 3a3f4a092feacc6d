import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { ConfigError } from './config-error.ts'
import type { Fault } from './config-error.ts'
import type { ConfigWarning } from './config-warning.ts'
import type { Config, DatabaseAddress, DatabaseSetting, Environment } from './config.ts'
import { gatherSettings, lineOf, quote } from './gather-settings.ts'
import { settings } from './settings.ts'
import type { Setting, SettingName, Settings } from './settings.ts'

interface ConfigSource {
  readonly environment: Environment
  /** The working directory, absolute: `.env` is read from it, and relative paths begin there. */
  readonly folder: string
  /** The folder of the executable, absolute. */
  readonly beside: string
  /** Whether the log goes to a terminal. */
  readonly terminal: boolean
  readonly database: DatabaseSetting
}

/**
 * Reads and checks every setting. Throws a ConfigError that lists every fault. `warnings` are about names in
 * `.env` that look like settings but are none, and about photos in a folder that other servers do not share.
 */
export function readConfig(source: ConfigSource): {
  config: Config
  warnings: readonly ConfigWarning[]
} {
  const { hasDotEnv, texts, faults, warnings } = gatherSettings(source.environment, source.folder)
  const reported = new Set(faults.map((fault) => fault.variable.replace(/_FILE$/, '')))
  const values: Partial<Record<SettingName, unknown>> = {}
  const wrong: Fault[] = []
  for (const name of Object.keys(settings) as SettingName[]) {
    const setting: Setting = settings[name]
    const text = texts.get(name)
    const value = valueOf(setting, text)
    values[name] = value
    if (value !== undefined || reported.has(name)) continue
    if (text !== undefined || setting.required) wrong.push(faultOf(name, text))
  }
  // Only for unset settings: one that could not be read from its file has a fault already.
  const missing = missingTogether((name) => texts.has(name) || reported.has(name), texts)
  const ofServer = reported.has('DB_URL') ? [] : serverFaults(source.database, texts.get('DB_URL'))
  const allFaults = [...faults, ...wrong, ...ofServer, ...missing, ...unreachable(values)]
  // An unreadable line of `.env` may be the one that names the database.
  const isFileRead = allFaults.every(({ variable }) => variable !== '.env')
  const { setting } = source.database
  const isKnown =
    (isFileRead || texts.has(setting)) && allFaults.every((f) => f.variable !== setting)
  if (allFaults.length > 0)
    throw new ConfigError(
      allFaults,
      isKnown ? addressIn(values as Settings, source) : undefined,
      warnings,
      hasDotEnv ? undefined : source.folder,
    )
  // Required settings that are undefined were reported as faults.
  const config = compose(values as Settings, source)
  const isOwnFolder = source.database.setting === 'DB_URL' && !texts.has('FILES_PATH')
  return { config, warnings: isOwnFolder ? [...warnings, ...ownFolder(config)] : warnings }
}

/** Warns where several servers may share the database, but not the folder of photos. Not in development. */
function ownFolder({ files, debug }: Config): ConfigWarning[] {
  if (files.disk !== 'local' || debug) return []
  return [
    {
      message: `Photos are kept in ${files.path}, a folder of this machine.`,
      advice:
        'Where several servers are on one database, set FILES_PATH to a folder that all of them share, or FILESYSTEM_DISK=s3.',
    },
  ]
}

/** Returns the faults of DB_URL: builds for a database server require it, and others cannot use it. */
function serverFaults(
  { setting, faultsOf, example }: DatabaseSetting,
  url: string | undefined,
): Fault[] {
  if (setting === 'DB_PATH' && url === undefined) return []
  const problem = url === undefined ? 'is not set' : 'cannot be used'
  return faultsOf(url ?? '').map((must) => ({
    variable: 'DB_URL',
    message: `DB_URL ${problem}. ${must}`,
    line: example === undefined ? lineOf(setting) : `${setting}=${example}`,
  }))
}

/** Returns the address of the database; undefined if DB_URL is required but not set. */
function addressIn(
  values: Settings,
  { folder, database: { setting } }: ConfigSource,
): DatabaseAddress | undefined {
  if (setting === 'DB_URL') return values.DB_URL === undefined ? undefined : { url: values.DB_URL }
  return { file: resolve(folder, values.DB_PATH) }
}

const controls = /\p{Cc}/u

function valueOf(setting: Setting, text: string | undefined): unknown {
  const input = text ?? setting.default
  return input === undefined || controls.test(input) ? undefined : setting.type.read(input)
}

function faultOf(name: SettingName, text: string | undefined): Fault {
  const setting: Setting = settings[name]
  // An address may hold a password before its @.
  const isSecret = setting.secret || text?.includes('@')
  const problem =
    text === undefined ? 'is not set' : isSecret ? 'cannot be used' : `is ${quote(text)}`
  const isBroken = text !== undefined && controls.test(text)
  const must = isBroken ? 'Leave out its line breaks and control characters.' : setting.type.must
  return { variable: name, message: `${name} ${problem}. ${must}`, line: lineOf(name) }
}

/** Returns faults for unset settings that another one requires. */
function missingTogether(
  isSet: (name: SettingName) => boolean,
  texts: ReadonlyMap<SettingName, string>,
): Fault[] {
  const missing = (because: SettingName, names: readonly SettingName[], why: string): Fault[] =>
    names
      .filter((name) => isSet(because) && !isSet(name))
      .map((name) => ({
        variable: name,
        message: `${name} is not set, and ${why}.`,
        line: lineOf(name),
      }))
  const bucket = texts.get('FILESYSTEM_DISK') === 's3' ? bucketNeeds : []
  return [
    ...missing('FILESYSTEM_DISK', bucket, 'FILESYSTEM_DISK=s3 keeps photos in a bucket'),
    ...missing('MAIL_USERNAME', ['MAIL_PASSWORD'], 'MAIL_USERNAME is. Set both or none'),
    ...missing('MAIL_PASSWORD', ['MAIL_USERNAME'], 'MAIL_PASSWORD is. Set both or none'),
    ...missing('MAIL_HOST', ['MAIL_FROM_ADDRESS'], 'mails that MAIL_HOST sends need a sender'),
  ]
}

const bucketNeeds = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_DEFAULT_REGION',
  'AWS_BUCKET',
] as const

/** Returns a fault if the bucket's name would precede an IP address, not a host name. */
function unreachable(values: Partial<Record<SettingName, unknown>>): Fault[] {
  const { FILESYSTEM_DISK: disk, AWS_ENDPOINT: endpoint } = values
  const name = 'AWS_USE_PATH_STYLE_ENDPOINT'
  if (disk !== 's3' || typeof endpoint !== 'string' || values[name] !== false) return []
  if (isIP(new URL(endpoint).hostname.replace(/^\[(.*)\]$/, '$1')) === 0) return []
  const message = 'AWS_ENDPOINT is an address, so the bucket must be named in the path.'
  return [{ variable: name, message, line: lineOf(name) }]
}

function compose(values: Settings, source: ConfigSource): Config {
  const { folder, beside, terminal } = source
  const database = addressIn(values, source)
  if (!database) throw new Error('A DB_URL that is not set was no fault.')
  const previous = (values.APP_PREVIOUS_KEYS ?? []).filter((key) => !key.equals(values.APP_KEY))
  return {
    keys: [values.APP_KEY, ...previous],
    origin: values.APP_URL,
    https: values.APP_URL.startsWith('https:'),
    debug: values.APP_DEBUG,
    host: values.HOST,
    port: values.PORT,
    trustedProxies: values.TRUSTED_PROXIES ?? [],
    database,
    queueWorkers: values.QUEUE_WORKERS,
    files: files(
      values,
      values.FILES_PATH ? resolve(folder, values.FILES_PATH) : join(beside, 'files'),
    ),
    sessionStore: values.SESSION_STORE,
    corsOrigins: values.CORS_ORIGINS ?? [],
    sender: sender(values),
    mail: mail(values),
    links: {
      support: values.SUPPORT_ADDRESS,
      terms: values.TERMS_URL,
      privacy: values.PRIVACY_URL,
    },
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT ?? (terminal ? 'text' : 'json') },
  }
}

function files(values: Settings, path: string): Config['files'] {
  if (values.FILESYSTEM_DISK === 'local') return { disk: 'local', path }
  return {
    disk: 's3',
    // Each of these four was reported as a fault if missing.
    accessKeyId: values.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: values.AWS_SECRET_ACCESS_KEY ?? '',
    region: values.AWS_DEFAULT_REGION ?? '',
    bucket: values.AWS_BUCKET ?? '',
    endpoint: values.AWS_ENDPOINT,
    pathStyle: values.AWS_USE_PATH_STYLE_ENDPOINT,
    url: values.AWS_URL,
  }
}

function sender(values: Settings): Config['sender'] {
  const { MAIL_FROM_ADDRESS: address, MAIL_FROM_NAME: name } = values
  return address ? { address, name } : undefined
}

function mail(values: Settings): Config['mail'] {
  const address = sender(values)
  // An address without a host sends nothing; the host without an address was a fault.
  if (!values.MAIL_HOST || !address) return undefined
  return {
    host: values.MAIL_HOST,
    port: values.MAIL_PORT,
    username: values.MAIL_USERNAME,
    password: values.MAIL_PASSWORD,
    from: address,
  }
}
