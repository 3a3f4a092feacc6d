import { brandName } from '../../../web/brand/brand.ts'
import { appName } from '../../../web/contract/name.ts'
import * as types from './setting-types.ts'
import type { SettingType } from './setting-types.ts'
import { random } from '../crypto/random.ts'

/** A variable that can be set from outside. */
export interface Setting {
  /** What it is for, as the command `help` prints it. */
  readonly meaning: string
  readonly type: SettingType<unknown>
  /** A value to show in the line to add; `line` makes that line if the example will not do. */
  readonly example: string
  readonly line?: () => string
  /** Used if the setting is unset or empty. */
  readonly default?: string
  /** The default in words, if it depends on where the program runs. */
  readonly otherwise?: string
  /** The program does not start without it. */
  readonly required?: true
  /** Never printed, and also read from the file that `<NAME>_FILE` names. */
  readonly secret?: true
}

/** Every setting (spec: Configuration; contract: Configuration beyond the specification's table). */
export const settings = {
  APP_URL: {
    meaning:
      'The origin people reach the app at. Links in mails and the domain of passkeys are made from it.',
    type: types.origin,
    example: 'https://accounts.example.com',
    required: true,
  },
  APP_KEY: {
    meaning:
      'The secret that every key is derived from. With another one, logins and mailed links end.',
    type: types.key,
    example: 'base64:<32 random bytes>',
    line: () => `APP_KEY=${newKey()}`,
    required: true,
    secret: true,
  },
  APP_PREVIOUS_KEYS: {
    meaning:
      'Older keys with commas between them, still accepted for checking and opening. Keep each for a month.',
    type: types.keys,
    example: 'base64:<32 bytes>,base64:<32 bytes>',
    secret: true,
  },
  APP_DEBUG: {
    meaning:
      'true shows the message and stack of a failure on the error page. Never in production.',
    type: types.yesOrNo,
    example: 'true',
    default: 'false',
  },
  HOST: {
    meaning:
      'The address to listen on. 0.0.0.0 is all IPv4 addresses, :: all addresses of both kinds.',
    type: types.host,
    example: '127.0.0.1',
    default: '127.0.0.1',
  },
  PORT: {
    meaning: 'The port to listen on. 0 takes a free one.',
    type: types.wholeNumber(0, 65535),
    example: '3000',
    default: '3000',
  },
  TRUSTED_PROXIES: {
    meaning:
      'Proxies whose X-Forwarded-For is trusted: addresses, ranges, and the words loopback and private.',
    type: types.proxies,
    example: 'loopback,10.0.0.0/8',
    otherwise: 'none',
  },
  DB_PATH: {
    meaning: 'The database file, in a build with an embedded database.',
    type: types.databaseFile,
    example: `${appName}.db`,
    default: `${appName}.db`,
  },
  DB_URL: {
    meaning:
      'The URL of the database, in a build for a database server: required there, and refused in any other build.',
    type: types.anyText,
    example: `postgres://${appName}:<password>@db.example.com/${appName}`,
    secret: true,
  },
  QUEUE_WORKERS: {
    meaning: 'How many background jobs run at once beside the server. 0 runs none in this process.',
    type: types.wholeNumber(0, Number.MAX_SAFE_INTEGER),
    example: '4',
    default: '4',
  },
  FILESYSTEM_DISK: {
    meaning: 'Where photos are kept: local, a folder, or s3, a bucket.',
    type: types.oneOf('local', 's3'),
    example: 'local',
    default: 'local',
  },
  FILES_PATH: {
    meaning: 'The folder of the photos, if FILESYSTEM_DISK is local.',
    type: types.anyText,
    example: `/var/lib/${appName}/files`,
    otherwise: 'files/ beside the executable',
  },
  AWS_ACCESS_KEY_ID: {
    meaning: 'The access key for the bucket.',
    type: types.anyText,
    example: '<access key ID>',
    secret: true,
  },
  AWS_SECRET_ACCESS_KEY: {
    meaning: 'The secret that goes with it.',
    type: types.anyText,
    example: '<secret access key>',
    secret: true,
  },
  AWS_DEFAULT_REGION: {
    meaning: 'The region of the bucket.',
    type: types.region,
    example: 'eu-central-1',
  },
  AWS_BUCKET: {
    meaning: 'The name of the bucket.',
    type: types.bucket,
    example: 'accounts-photos',
  },
  AWS_ENDPOINT: {
    meaning: "The server of the bucket, if it is not Amazon's.",
    type: types.webAddress,
    example: 'https://s3.example.com',
    otherwise: "Amazon's for the region",
  },
  AWS_USE_PATH_STYLE_ENDPOINT: {
    meaning: 'true when the name of the bucket is part of the path, not of the host.',
    type: types.yesOrNo,
    example: 'true',
    default: 'false',
  },
  AWS_URL: {
    meaning: 'Where browsers fetch the photos from, when it is not the endpoint.',
    type: types.webAddress,
    example: 'https://photos.example.com',
    otherwise: 'the endpoint',
  },
  SESSION_STORE: {
    meaning:
      'Where sessions are kept: cookie, whole in the cookie, or database, with only an ID in the cookie.',
    type: types.oneOf('cookie', 'database'),
    example: 'database',
    default: 'cookie',
  },
  CORS_ORIGINS: {
    meaning: 'Sites whose pages may call the API, with commas between them.',
    type: types.origins,
    example: 'https://www.example.com',
    otherwise: 'none',
  },
  MAIL_HOST: {
    meaning: 'The SMTP server. Without it mail goes to the development mailbox, or to the log.',
    type: types.host,
    example: 'smtp.example.com',
    otherwise: 'no mail is sent',
  },
  MAIL_PORT: {
    meaning: 'The port of the SMTP server. 465 speaks TLS from the start.',
    type: types.wholeNumber(1, 65535),
    example: '587',
    default: '587',
  },
  MAIL_USERNAME: {
    meaning: 'The user name, if the server requires one.',
    type: types.anyText,
    example: '<user>',
  },
  MAIL_PASSWORD: {
    meaning: 'The password of that user.',
    type: types.anyText,
    example: '<password>',
    secret: true,
  },
  MAIL_FROM_ADDRESS: {
    meaning: 'The address mails come from. Required with MAIL_HOST.',
    type: types.sender,
    example: 'accounts@example.com',
  },
  MAIL_FROM_NAME: {
    meaning: 'The name that goes with it.',
    type: types.anyText,
    example: 'Example Accounts',
    default: brandName,
  },
  SUPPORT_ADDRESS: {
    meaning: 'Where people get help: an email address or a page. In the footer and in mails.',
    type: types.support,
    example: 'help@example.com',
    otherwise: 'none',
  },
  TERMS_URL: {
    meaning: 'The page of your terms. In the footer, by the register button and in mails.',
    type: types.webPage,
    example: 'https://www.example.com/terms',
    otherwise: 'none',
  },
  PRIVACY_URL: {
    meaning: 'The page of your privacy policy. In the footer, by the register button and in mails.',
    type: types.webPage,
    example: 'https://www.example.com/privacy',
    otherwise: 'none',
  },
  LOG_LEVEL: {
    meaning: 'What is logged: debug logs most, error least.',
    type: types.oneOf('debug', 'info', 'warn', 'error'),
    example: 'info',
    default: 'info',
  },
  LOG_FORMAT: {
    meaning: 'How it is logged: text for people, json for programs.',
    type: types.oneOf('text', 'json'),
    example: 'json',
    otherwise: 'text on a terminal, else json',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

type Read<Name extends SettingName> =
  (typeof settings)[Name]['type'] extends SettingType<infer Value> ? Value : never

/** Each setting as it was read; undefined if it is unset and has no default. */
export type Settings = {
  readonly [Name in SettingName]:
    | Read<Name>
    | ((typeof settings)[Name] extends { default: string } | { required: true } ? never : undefined)
}

/** Makes a new APP_KEY. */
export function newKey(): string {
  return `base64:${random(32).toString('base64')}`
}
