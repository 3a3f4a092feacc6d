import { quoted } from '../../statement.ts'
import type { Connection } from '../connection.ts'

/** A schema object that can be moved to another schema, together with what belongs to it. */
interface SchemaObject {
  /** Its keyword in ALTER. */
  readonly kind: string
  /** Its name with its schema, and with its arguments if it is a function. */
  readonly identity: string
}

/**
 * Returns the objects of the current schema: all tables, and whatever else the user owns. Extensions stay, with their
 * objects: a database has each extension once, and the new tables use it.
 */
export async function objectsIn(connection: Connection): Promise<SchemaObject[]> {
  const rows = await connection.ask<SchemaObject>(`
    SELECT
      CASE
        WHEN d.classid = 'pg_proc'::regclass THEN 'routine'
        WHEN d.classid = 'pg_statistic_ext'::regclass THEN 'statistics'
        ELSE i.type
      END AS kind,
      i.identity
    FROM pg_depend d
    JOIN pg_namespace n ON n.oid = d.refobjid
    CROSS JOIN LATERAL pg_identify_object(d.classid, d.objid, 0) AS i
    LEFT JOIN pg_shdepend o ON o.deptype = 'o' AND o.classid = d.classid AND o.objid = d.objid
      AND o.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
    WHERE d.refclassid = 'pg_namespace'::regclass AND n.nspname = current_schema()
      AND d.deptype = 'n' AND d.classid <> 'pg_extension'::regclass
      AND (i.type = 'table'
        OR coalesce(pg_has_role(o.refobjid, 'USAGE'), pg_has_role(10, 'USAGE')))
      AND NOT EXISTS (
        SELECT 1 FROM pg_depend e
        WHERE e.classid = d.classid AND e.objid = d.objid
          -- An object of an extension, or the sequence of a column.
          AND (e.deptype = 'e' OR (i.type = 'sequence' AND e.deptype IN ('a', 'i'))))
    -- Functions and operators first: their identity names types, which may be moved themselves.
    ORDER BY d.classid NOT IN ('pg_proc'::regclass, 'pg_operator'::regclass), d.objid`)
  return Array.from(rows)
}

export async function moveTo(
  connection: Connection,
  schema: string,
  objects: readonly SchemaObject[],
): Promise<void> {
  for (const { kind, identity } of objects)
    await connection.script(`ALTER ${kind} ${identity} SET SCHEMA ${quoted(schema)}`)
}

/** Disables the enabled triggers, and returns the statements that enable them again. */
export async function stopTriggers(connection: Connection): Promise<string[]> {
  const rows = await connection.ask<{ stop: string; go: string }>(`
    SELECT
      format('ALTER TABLE %s DISABLE TRIGGER %I', tgrelid::regclass, tgname) AS stop,
      format('ALTER TABLE %s ENABLE %s TRIGGER %I', tgrelid::regclass,
        CASE tgenabled WHEN 'A' THEN 'ALWAYS' WHEN 'R' THEN 'REPLICA' ELSE '' END, tgname) AS go
    FROM pg_trigger t
    JOIN pg_class c ON c.oid = t.tgrelid
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND NOT t.tgisinternal AND t.tgenabled <> 'D'`)
  for (const { stop } of rows) await connection.script(stop)
  return rows.map(({ go }) => go)
}

/** Refreshes and analyzes the materialized views, oldest first, since a later one may read an earlier one. */
export async function refreshViews(connection: Connection): Promise<void> {
  const rows = await connection.ask<{ refresh: string }>(`
    SELECT format('REFRESH MATERIALIZED VIEW %1$s; ANALYZE %1$s', c.oid::regclass) AS refresh
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND c.relkind = 'm' AND c.relispopulated
    ORDER BY c.oid`)
  for (const { refresh } of rows) await connection.script(refresh)
}
