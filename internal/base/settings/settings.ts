import { brandName } from '../../../web/brand/brand.ts'
import { appName } from '../../../web/contract/name.ts'
import * as kinds from './setting-kinds.ts'
import type { Kind } from './setting-kinds.ts'
import { random } from '../crypto/random.ts'

/** A variable that can be set from outside. */
export interface Setting {
  /** What it is for, as `app help` tells it. */
  readonly meaning: string
  readonly kind: Kind<unknown>
  /** A value to show in the line to add; `line` makes that line where the example will not do. */
  readonly example: string
  readonly line?: () => string
  /** Read in place of the setting when that is unset or empty. */
  readonly default?: string
  /** The default in words, where it depends on where the program runs. */
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
    kind: kinds.origin,
    example: 'https://accounts.example.com',
    required: true,
  },
  APP_KEY: {
    meaning:
      'The secret that every key is derived from. With another one, logins and mailed links end.',
    kind: kinds.key,
    example: 'base64:<32 random bytes>',
    line: () => `APP_KEY=${newKey()}`,
    required: true,
    secret: true,
  },
  APP_PREVIOUS_KEYS: {
    meaning:
      'Older keys with commas between them, still good for checking and opening. Keep one for a month.',
    kind: kinds.keys,
    example: 'base64:<32 bytes>,base64:<32 bytes>',
    secret: true,
  },
  APP_DEBUG: {
    meaning:
      'true shows the message and stack of a failure on the error page. Never in production.',
    kind: kinds.yesOrNo,
    example: 'true',
    default: 'false',
  },
  HOST: {
    meaning: 'The address to listen on. 0.0.0.0 is every one of IPv4, :: every one of both kinds.',
    kind: kinds.host,
    example: '127.0.0.1',
    default: '127.0.0.1',
  },
  PORT: {
    meaning: 'The port to listen on. 0 takes a free one.',
    kind: kinds.wholeNumber(0, 65535),
    example: '3000',
    default: '3000',
  },
  TRUSTED_PROXIES: {
    meaning:
      'Proxies whose X-Forwarded-For is believed: addresses, ranges, and the words loopback and private.',
    kind: kinds.proxies,
    example: 'loopback,10.0.0.0/8',
    otherwise: 'none',
  },
  DB_PATH: {
    meaning: 'The file of the database, in a build that keeps all in one.',
    kind: kinds.databaseFile,
    example: `${appName}.db`,
    default: `${appName}.db`,
  },
  DB_URL: {
    meaning:
      'The database and its server, in a build for one: required there, and a fault in one that keeps all in a file.',
    kind: kinds.anyText,
    example: `postgres://${appName}:<password>@db.example.com/${appName}`,
    secret: true,
  },
  QUEUE_WORKERS: {
    meaning: 'How many background jobs run at once beside the server. 0 runs none in this process.',
    kind: kinds.wholeNumber(0, Number.MAX_SAFE_INTEGER),
    example: '4',
    default: '4',
  },
  FILESYSTEM_DISK: {
    meaning: 'Where photos are kept: local, a folder, or s3, a bucket.',
    kind: kinds.oneOf('local', 's3'),
    example: 'local',
    default: 'local',
  },
  FILES_PATH: {
    meaning: 'The folder of the photos, when they are kept in one.',
    kind: kinds.anyText,
    example: `/var/lib/${appName}/files`,
    otherwise: 'files/ beside the executable',
  },
  AWS_ACCESS_KEY_ID: {
    meaning: 'Who asks for the bucket.',
    kind: kinds.anyText,
    example: '<access key ID>',
    secret: true,
  },
  AWS_SECRET_ACCESS_KEY: {
    meaning: 'The secret that goes with it.',
    kind: kinds.anyText,
    example: '<secret access key>',
    secret: true,
  },
  AWS_DEFAULT_REGION: {
    meaning: 'The region of the bucket.',
    kind: kinds.region,
    example: 'eu-central-1',
  },
  AWS_BUCKET: {
    meaning: 'The name of the bucket.',
    kind: kinds.bucket,
    example: 'accounts-photos',
  },
  AWS_ENDPOINT: {
    meaning: 'The server of the bucket, when it is not at Amazon.',
    kind: kinds.webAddress,
    example: 'https://s3.example.com',
    otherwise: "Amazon's for the region",
  },
  AWS_USE_PATH_STYLE_ENDPOINT: {
    meaning: 'true when the name of the bucket is part of the path, not of the host.',
    kind: kinds.yesOrNo,
    example: 'true',
    default: 'false',
  },
  AWS_URL: {
    meaning: 'Where browsers fetch the photos from, when it is not the endpoint.',
    kind: kinds.webAddress,
    example: 'https://photos.example.com',
    otherwise: 'the endpoint',
  },
  SESSION_STORE: {
    meaning:
      'Where sessions are kept: cookie, each whole in its cookie, or database, with only its ID in the cookie.',
    kind: kinds.oneOf('cookie', 'database'),
    example: 'database',
    default: 'cookie',
  },
  CORS_ORIGINS: {
    meaning: 'Sites whose pages may call the API, with commas between them.',
    kind: kinds.origins,
    example: 'https://www.example.com',
    otherwise: 'none',
  },
  MAIL_HOST: {
    meaning: 'The SMTP server. Without it mail goes to the development mailbox, or to the log.',
    kind: kinds.host,
    example: 'smtp.example.com',
    otherwise: 'no mail is sent',
  },
  MAIL_PORT: {
    meaning: 'The port of the SMTP server. 465 speaks TLS from the start.',
    kind: kinds.wholeNumber(1, 65535),
    example: '587',
    default: '587',
  },
  MAIL_USERNAME: {
    meaning: 'The user, for a server that wants one.',
    kind: kinds.anyText,
    example: '<user>',
  },
  MAIL_PASSWORD: {
    meaning: 'The password that goes with the user.',
    kind: kinds.anyText,
    example: '<password>',
    secret: true,
  },
  MAIL_FROM_ADDRESS: {
    meaning: 'The address mails come from. Required with MAIL_HOST.',
    kind: kinds.sender,
    example: 'accounts@example.com',
  },
  MAIL_FROM_NAME: {
    meaning: 'The name that goes with it.',
    kind: kinds.anyText,
    example: 'Example Accounts',
    default: brandName,
  },
  SUPPORT_ADDRESS: {
    meaning: 'Where people get help: an email address or a page. In the footer and in mails.',
    kind: kinds.support,
    example: 'help@example.com',
    otherwise: 'none',
  },
  TERMS_URL: {
    meaning: 'The page of your terms. In the footer, by the register button and in mails.',
    kind: kinds.webPage,
    example: 'https://www.example.com/terms',
    otherwise: 'none',
  },
  PRIVACY_URL: {
    meaning: 'The page of your privacy policy. In the footer, by the register button and in mails.',
    kind: kinds.webPage,
    example: 'https://www.example.com/privacy',
    otherwise: 'none',
  },
  LOG_LEVEL: {
    meaning: 'What is logged: debug logs most, error least.',
    kind: kinds.oneOf('debug', 'info', 'warn', 'error'),
    example: 'info',
    default: 'info',
  },
  LOG_FORMAT: {
    meaning: 'How it is logged: text for people, json for programs.',
    kind: kinds.oneOf('text', 'json'),
    example: 'json',
    otherwise: 'text on a terminal, else json',
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof settings

type Read<Name extends SettingName> =
  (typeof settings)[Name]['kind'] extends Kind<infer Value> ? Value : never

/** Each setting as it was read; undefined where it is not set and has no default. */
export type Settings = {
  readonly [Name in SettingName]:
    | Read<Name>
    | ((typeof settings)[Name] extends { default: string } | { required: true } ? never : undefined)
}

/** A new APP_KEY. */
export function newKey(): string {
  return `base64:${random(32).toString('base64')}`
}
