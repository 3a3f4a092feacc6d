import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DatabaseAddress } from '../base/settings/config.ts'

/** A change of the database: a SQL file that runs once (spec: Versioning). */
export interface Migration {
  /** `<timestamp>_<name>.sql`: migrations run in the order of their names. */
  readonly name: string
  readonly sql: string
}

/** A migration that ran, with the hash of its SQL at that time. */
export interface RanMigration {
  readonly name: string
  readonly hash: string
}

/**
 * Runs the pending migrations in the order of their names, and returns those names. Each runs once: processes that
 * start together take turns. Before running any, throws `MigrationChanged` for a migration that changed since it ran,
 * and an error for a pending one that is blank. If one fails, those before it stay, none after it runs, and the error
 * names it and says what is left of it. Restores and migrations exclude each other: a restore under way is waited for
 * `wait` milliseconds, then `DatabaseBusy` is thrown. `advise` is called with what to do when the wait for another
 * migrating process, or on a server for another program's transaction, is long. That process may be on a machine that
 * is gone, and then ends only hours later.
 */
export type Migrate = (
  database: DatabaseAddress,
  migrations: readonly Migration[],
  now: Date,
  options?: { readonly wait?: number; readonly advise?: (advice: string) => void },
) => Promise<string[]>

/** The default of `wait`, in milliseconds. */
export const usualWait = 60_000

/**
 * Reads the migrations of a folder in order. Throws if there are none, or for a file name without a sortable
 * timestamp.
 */
export function readMigrations(folder: string): Migration[] {
  if (!existsSync(folder))
    throw new Error(
      `There is no folder ${resolve(folder)}: migrations are written in a checkout of the project.`,
    )
  const names = readdirSync(folder).toSorted()
  const wrong = names.find((name) => !/^\d{14}_[a-z0-9_]+\.sql$/.test(name))
  if (wrong !== undefined)
    throw new Error(
      `${join(folder, wrong)} is no migration: name it <timestamp of 14 digits>_<name>.sql, or move it away.`,
    )
  return names.map((name) => ({ name, sql: readFileSync(join(folder, name), 'utf8') }))
}

/** Returns the time in a migration's name; an invalid Date if it is none. */
export function writtenAt({ name }: Pick<Migration, 'name'>): Date {
  return new Date(name.replace(/^(....)(..)(..)(..)(..)(..).*$/, '$1-$2-$3T$4:$5:$6Z'))
}

/** Creates a blank migration that sorts after all existing ones, and returns its path. Throws if the name is taken. */
export function newMigration(folder: string, name: string, now: Date): string {
  const existing = readMigrations(folder)
  const sameName = existing.find((migration) => migration.name.slice(15, -4) === name)
  if (sameName)
    throw new Error(`${join(folder, sameName.name)} has that name already: take another.`)
  const next = (existing.map(writtenAt).at(-1)?.getTime() ?? 0) + 1000
  const at = new Date(Math.max(now.getTime(), Number.isNaN(next) ? 0 : next))
  const timestamp = at.toISOString().replace(/\D/g, '').slice(0, 14)
  const path = join(folder, `${timestamp}_${name}.sql`)
  writeFileSync(path, '', { flag: 'wx' })
  return path
}

/**
 * Returns the pending migrations in order. Throws `MigrationChanged` for one that changed since it ran, and an error
 * for a pending one that is blank.
 */
export function openMigrations(
  migrations: readonly Migration[],
  ran: readonly RanMigration[],
): Migration[] {
  const { pending, changed } = compareMigrations(migrations, ran)
  if (changed[0] !== undefined) throw new MigrationChanged(changed[0])
  const open = migrations
    .filter(({ name }) => pending.includes(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  // The development runner restarts as soon as the file is created. A migration that ran blank could never be filled
  // in.
  const blank = open.find(({ sql }) => sql.trim() === '')
  if (blank)
    throw new Error(`The migration ${blank.name} is blank: write its SQL, or delete the file.`)
  return open
}

/**
 * Compares a build's migrations by name with those that ran: `pending` have not run, `changed` ran with other SQL,
 * `unknown` ran but are not in the build.
 */
export function compareMigrations(
  migrations: readonly Migration[],
  ran: readonly RanMigration[],
): { pending: string[]; changed: string[]; unknown: string[] } {
  const hashes = new Map(ran.map(({ name, hash }) => [name, hash]))
  const knownNames = new Set(migrations.map(({ name }) => name))
  const names = (matches: (migration: Migration) => boolean) =>
    migrations.filter(matches).map(({ name }) => name)
  return {
    pending: names(({ name }) => !hashes.has(name)),
    changed: names(({ name, sql }) => hashes.has(name) && hashes.get(name) !== hashOf(sql)),
    unknown: ran.filter(({ name }) => !knownNames.has(name)).map(({ name }) => name),
  }
}

/** The hash stored for a migration that ran. Windows line ends, which a checkout may produce, do not change it. */
export function hashOf(sql: string): string {
  return hash('sha256', sql.replaceAll('\r\n', '\n'))
}

/** The database rejected a migration as a whole, and nothing of it is left; `cause` says why. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
  /** What to do, unless the cause tells more. */
  readonly advice = 'Correct its SQL, or what prevents it, and migrate again.'

  constructor(migration: string, reason: string, cause: unknown) {
    super(`The migration ${migration} failed, and left nothing: ${reason}`, { cause })
  }
}

export class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged'

  constructor(migration: string) {
    super(
      `The migration ${migration} has changed since it ran. One that has run is never changed: ` +
        'put it back as it was, and write a new one for the change.',
    )
  }
}
