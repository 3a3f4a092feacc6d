/** All settings, read and checked (spec and contract: Configuration). */
export interface Config {
  /** The first key signs and seals; every key checks and opens. 32 bytes each. */
  readonly keys: readonly [Buffer, ...Buffer[]]
  /** Origin of APP_URL, such as `https://accounts.example.com`, without a trailing slash. */
  readonly origin: string
  /** Whether APP_URL is `https://`: cookies are then HTTPS-only. */
  readonly https: boolean
  readonly debug: boolean
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Addresses, CIDR ranges, and the words `loopback` and `private`. */
  readonly trustedProxies: readonly string[]
  readonly database: DatabaseAddress
  readonly queueWorkers: number
  readonly files:
    | { readonly disk: 'local'; readonly path: string }
    | {
        readonly disk: 's3'
        readonly accessKeyId: string
        readonly secretAccessKey: string
        readonly region: string
        readonly bucket: string
        readonly endpoint: string | undefined
        readonly pathStyle: boolean
        /** Where browsers fetch photos from. */
        readonly url: string | undefined
      }
  readonly sessionStore: 'cookie' | 'database'
  readonly corsOrigins: readonly string[]
  /** The sender of mails, if set. It may be set without a mail server. */
  readonly sender: { readonly address: string; readonly name: string } | undefined
  /** undefined: mail goes to the development mailbox or the log. */
  readonly mail:
    | {
        readonly host: string
        readonly port: number
        readonly username: string | undefined
        readonly password: string | undefined
        readonly from: { readonly address: string; readonly name: string }
      }
    | undefined
  /** Links in footer and mails: where people get help, and what they agree to. */
  readonly links: {
    readonly support?: SupportAddress
    /** Absolute URLs. */
    readonly terms?: string
    readonly privacy?: string
  }
  readonly log: { readonly level: LogLevel; readonly format: 'text' | 'json' }
}

/** An email address or the URL of a page: as people read it, and as the target of a link. */
export interface SupportAddress {
  readonly text: string
  readonly href: string
}

/** Where the database is: the absolute path of its file, or its server. Only `internal/db` looks into it. */
export type DatabaseAddress = { readonly file: string } | { readonly url: string }

/** The setting of this build's database, which differs between kinds of databases. */
export interface DatabaseSetting {
  /** The setting that names the database. */
  readonly setting: 'DB_PATH' | 'DB_URL'
  /**
   * Returns what is wrong with a DB_URL, in sentences that say what to write and never contain the password.
   */
  readonly faultsOf: (url: string) => readonly string[]
  /** A value to show instead of the setting's usual example. */
  readonly example?: string
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The variables that a program is started with, or a stand-in for them. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns the environment of this process. Nothing else reads it, so that every setting is known and checked.
 */
export function environment(): Environment {
  return process.env
}
