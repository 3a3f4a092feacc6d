import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** A change of the database: a file of SQL that runs once (spec: Versioning). */
export interface Migration {
  /** `<timestamp>_<name>.sql`: the order of the names is the order of the changes. */
  readonly name: string
  readonly sql: string
}

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

/** Writes an empty migration for a new change, and returns its path. Throws for a name that cannot be used. */
export function newMigration(folder: string, name: string, now: Date): string {
  if (!/^[a-z0-9_]+$/.test(name))
    throw new Error(
      `A migration cannot be named "${name}": use lower-case letters, digits and underscores, such as add_language.`,
    )
  const taken = readMigrations(folder).find((migration) => migration.name.slice(15, -4) === name)
  if (taken) throw new Error(`${join(folder, taken.name)} has that name already: take another.`)
  const timestamp = now.toISOString().replace(/\D/g, '').slice(0, 14)
  const path = join(folder, `${timestamp}_${name}.sql`)
  writeFileSync(path, '', { flag: 'wx' })
  return path
}
