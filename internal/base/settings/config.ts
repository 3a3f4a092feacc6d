/** Everything that can be set from outside, read and checked (spec and contract: Configuration). */
export interface Config {
  /** The first key signs and seals; every key checks and opens. 32 bytes each. */
  readonly keys: readonly [Buffer, ...Buffer[]]
  /** Origin of APP_URL, such as `https://accounts.example.com`, with no slash at its end. */
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
  /** Who mails come from, if that is set. It may be set without a mail server. */
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
    /** Whole addresses of the web. */
    readonly terms?: string
    readonly privacy?: string
  }
  readonly log: { readonly level: LogLevel; readonly format: 'text' | 'json' }
}

/** An email address or the address of a page: as people read it, and as a link leads to it. */
export interface SupportAddress {
  readonly text: string
  readonly href: string
}

/** Where the database is: the absolute path of its file, or its server. Only `internal/db` looks into it. */
export type DatabaseAddress = { readonly file: string } | { readonly url: string }

/** How this build's database is set: it differs between kinds of databases. */
export interface DatabaseSetting {
  /** The setting that names the database. */
  readonly setting: 'DB_PATH' | 'DB_URL'
  /** What is wrong with a DB_URL, each in a sentence that says what to write and never has the password. */
  readonly faultsOf: (url: string) => readonly string[]
  /** A value to show in place of the setting's usual example. */
  readonly example?: string
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

/** The variables that a program is started with, or a stand-in for them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The environment of this process. Only this function reads it, so that every setting is known and checked. */
export function environment(): Environment {
  return process.env
}
