import { parentsFirst } from '../../parents-first.ts'
import { rowOf } from '../../server/answer.ts'
import { quoted } from '../../statement.ts'
import type { Connection } from '../connection.ts'
import { objectsToMake } from './tables.ts'

// MySQL cannot move a table with a trigger to another database, nor a view, a function, a procedure or an event. So
// these are dropped before the tables are moved, and recreated in the other database. Until then a table stores the
// statements that create them, and moves with the other tables: if a restore is killed in between, the next start runs
// them.

interface DatabaseObject {
  readonly kind: string
  readonly name: string
}

interface Making extends DatabaseObject {
  readonly sqlMode: string
  readonly statement: string
}

/** Drops everything but tables from the current database, and stores what `makeObjects` needs to recreate it. */
export async function takeObjects(connection: Connection): Promise<void> {
  const making = await makingOf(connection)
  if (making.length === 0) return
  await connection.script(`
    CREATE TABLE ${objectsToMake} (
      id INTEGER NOT NULL AUTO_INCREMENT PRIMARY KEY,
      kind VARCHAR(16) NOT NULL,
      name VARCHAR(64) NOT NULL,
      sql_mode TEXT NOT NULL,
      statement LONGTEXT NOT NULL
    ) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin`)
  await connection.script('START TRANSACTION')
  for (const { kind, name, sqlMode, statement } of making)
    await connection.script(
      `INSERT INTO ${objectsToMake} (kind, name, sql_mode, statement) VALUES (?, ?, ?, ?)`,
      [kind, name, sqlMode, statement],
    )
  await connection.script('COMMIT')
  for (const object of making.toReversed()) await drop(connection, object)
}

/** Recreates what `takeObjects` dropped, from its table in the current database; does nothing if there is none. */
export async function makeObjects(connection: Connection): Promise<void> {
  const rows = await connection.ask(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [objectsToMake],
  )
  if (rows.length === 0) return
  const making = await connection.ask<Making>(
    `SELECT kind, name, sql_mode, statement FROM ${objectsToMake} ORDER BY id`,
  )
  const [[mode] = []] = await connection.rows('SELECT @@SESSION.sql_mode')
  for (const object of making) {
    await drop(connection, object)
    await connection.script('SET SESSION sql_mode = ?', [object.sqlMode])
    await connection.script(object.statement)
    await connection.script('SET SESSION sql_mode = ?', [mode])
  }
  await connection.script(`DROP TABLE ${objectsToMake}`)
}

async function drop(connection: Connection, { kind, name }: DatabaseObject): Promise<void> {
  await connection.script(`DROP ${kind} IF EXISTS ${quoted(name)}`)
}

/** Throws if an object of the current database belongs to another user of the server. */
export async function refuseForeign(connection: Connection): Promise<void> {
  await objectsOf(connection)
}

async function makingOf(connection: Connection): Promise<Making[]> {
  const making: Making[] = []
  for (const object of await objectsOf(connection))
    making.push(await showCreate(connection, object))
  return making
}

async function showCreate(connection: Connection, { kind, name }: DatabaseObject): Promise<Making> {
  const row = rowOf(
    await connection.script<Readonly<Record<string, unknown>>>(
      `SHOW CREATE ${kind} ${quoted(name)}`,
    ),
  )
  const text = Object.entries(row).find(([column]) => /^(Create|SQL) /.test(column))?.[1]
  const [[database, mode] = []] = await connection.rows('SELECT DATABASE(), @@SESSION.sql_mode')
  // A view names the database of its functions: removed, since the view is recreated in another one.
  const qualifier = `${quoted(String(database))}.`
  const statement = kind === 'VIEW' ? String(text).replaceAll(qualifier, '') : String(text)
  return { kind, name, sqlMode: String(row['sqlMode'] ?? mode), statement }
}

/** Returns all objects but tables, each after those it depends on. Throws for one that belongs to another user. */
async function objectsOf(connection: Connection): Promise<DatabaseObject[]> {
  const routines = await connection.rows(`
    SELECT routine_type, routine_name, definer FROM information_schema.routines
    WHERE routine_schema = DATABASE() ORDER BY routine_type, routine_name`)
  const triggers = await connection.rows(`
    SELECT 'TRIGGER', trigger_name, definer FROM information_schema.triggers
    WHERE trigger_schema = DATABASE()
    ORDER BY event_object_table, action_timing, event_manipulation, action_order`)
  const events = await connection.rows(`
    SELECT 'EVENT', event_name, definer FROM information_schema.events
    WHERE event_schema = DATABASE() ORDER BY event_name`)
  const [[own] = []] = await connection.rows('SELECT CURRENT_USER()')
  return [...routines, ...(await viewsOf(connection)), ...triggers, ...events].map((row) => {
    const [kind = '', name = '', definer = ''] = row.map(String)
    if (definer === own) return { kind, name }
    throw new Error(
      `The ${kind.toLowerCase()} ${name} belongs to ${definer}, and cannot be made again as theirs: drop it before a restore, and make it again afterwards unless a migration has.`,
    )
  })
}

async function viewsOf(connection: Connection): Promise<unknown[][]> {
  const views = await connection.rows(`
    SELECT 'VIEW', table_name, definer FROM information_schema.views
    WHERE table_schema = DATABASE() ORDER BY table_name`)
  const uses = await connection.rows(`
    SELECT view_name, table_name FROM information_schema.view_table_usage
    WHERE view_schema = DATABASE() AND table_schema = DATABASE()`)
  const parentsOf = (view: string) =>
    uses.filter(([name]) => name === view).map(([, used]) => String(used))
  const names = views.map(([, name]) => String(name))
  const order = parentsFirst(names, parentsOf)
  return views.toSorted(([, a], [, b]) => order.indexOf(String(a)) - order.indexOf(String(b)))
}
