import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { DatabaseAddress } from '../base/settings/config.ts'

/** A change of the database: a file of SQL that runs once (spec: Versioning). */
export interface Migration {
  /** `<timestamp>_<name>.sql`: the order of the names is the order of the changes. */
  readonly name: string
  readonly sql: string
}

/** A migration that ran on a database, with the hash of the SQL that ran. */
export interface RanMigration {
  readonly name: string
  readonly hash: string
}

/**
 * Runs the migrations that have not run on a database yet, in the order of their names, and returns these names. Each
 * runs once, however many processes start at once: they take turns. Throws `MigrationChanged` for a migration that
 * changed since it ran, and an error for a blank one that has not run, before any runs. Where one fails, those before
 * it hold and none after it runs; the error names it, and says what is left of it. No restore begins while migrations
 * run; if one has the database, it is waited for `wait` milliseconds, then `DatabaseBusy` is thrown. `advise` is called
 * with what to do when the wait for another process that migrates is long, or, on a server, for another program's
 * transaction. On a server that process may be on a machine that is gone, and ends only hours later.
 */
export type Migrate = (
  database: DatabaseAddress,
  migrations: readonly Migration[],
  now: Date,
  options?: { readonly wait?: number; readonly advise?: (advice: string) => void },
) => Promise<string[]>

/** The default of `wait`, in milliseconds. */
export const usualTurn = 60_000

/** The migrations in a folder, in their order. Throws where there is none, or for a file whose name would give it no order. */
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

/** The time in a migration's name; an invalid one where that is no time. */
export function writtenAt({ name }: Pick<Migration, 'name'>): Date {
  return new Date(name.replace(/^(....)(..)(..)(..)(..)(..).*$/, '$1-$2-$3T$4:$5:$6Z'))
}

/**
 * Writes a blank migration for a new change, which runs after all that there are, and returns its path. Throws for a name
 * that another has.
 */
export function newMigration(folder: string, name: string, now: Date): string {
  const existing = readMigrations(folder)
  const taken = existing.find((migration) => migration.name.slice(15, -4) === name)
  if (taken) throw new Error(`${join(folder, taken.name)} has that name already: take another.`)
  const next = (existing.map(writtenAt).at(-1)?.getTime() ?? 0) + 1000
  const at = new Date(Math.max(now.getTime(), Number.isNaN(next) ? 0 : next))
  const timestamp = at.toISOString().replace(/\D/g, '').slice(0, 14)
  const path = join(folder, `${timestamp}_${name}.sql`)
  writeFileSync(path, '', { flag: 'wx' })
  return path
}

/**
 * The migrations that have not run yet, in their order. Throws `MigrationChanged` for one that changed since it ran,
 * and an error for a blank one that has not run.
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
  // The development runner starts as soon as the file is made. A migration that ran blank could never be filled in.
  const blank = open.find(({ sql }) => sql.trim() === '')
  if (blank)
    throw new Error(`The migration ${blank.name} is blank: write its SQL, or delete the file.`)
  return open
}

/**
 * Compares a build's migrations with those that ran, by name: `pending` have not run yet, `changed` ran with other SQL,
 * and `unknown` ran but are not in the build.
 */
export function compareMigrations(
  migrations: readonly Migration[],
  ran: readonly RanMigration[],
): { pending: string[]; changed: string[]; unknown: string[] } {
  const hashes = new Map(ran.map(({ name, hash }) => [name, hash]))
  const known = new Set(migrations.map(({ name }) => name))
  const names = (matches: (migration: Migration) => boolean) =>
    migrations.filter(matches).map(({ name }) => name)
  return {
    pending: names(({ name }) => !hashes.has(name)),
    changed: names(({ name, sql }) => hashes.has(name) && hashes.get(name) !== hashOf(sql)),
    unknown: ran.filter(({ name }) => !known.has(name)).map(({ name }) => name),
  }
}

/**
 * The hash that is kept of a migration that ran. Line ends of Windows, which a check-out there may make, do not change
 * it.
 */
export function hashOf(sql: string): string {
  return hash('sha256', sql.replaceAll('\r\n', '\n'))
}

/** A migration that the database refused as a whole, so that nothing of it is left; `cause` says why. */
export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed'
  /** What to do, unless more is known of the cause. */
  readonly advice = 'Mend its SQL, or what stands in its way, and migrate again.'

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
