import { serverOf as onMysql } from '../../../internal/db/mysql/address.ts'
import { Connection as Mysql } from '../../../internal/db/mysql/connection.ts'
import { dbOf as dbOfMysql } from '../../../internal/db/mysql/statements.ts'
import { serverOf as onPostgres } from '../../../internal/db/postgres/address.ts'
import { Connection as Postgres } from '../../../internal/db/postgres/connection.ts'
import { dbOf as dbOfPostgres } from '../../../internal/db/postgres/statements.ts'
import type { Db } from '../../../internal/db/db.ts'
import type { Extent } from '../tools/fault.ts'

/** A connection without a statement timeout. */
export interface MeasuredConnection {
  readonly db: Db
  /** Updates the statistics by which the server plans statements. */
  analyze(): Promise<void>
  /** Returns how many rows of each table, and entries of its indexes, have been read so far, by anybody. */
  rowsRead(): Promise<ReadonlyMap<string, number>>
  end(): Promise<void>
}

/** Connects to the database of a server that counts read rows. */
export async function openMeasuredConnection(
  url: string,
  { database }: Extent,
): Promise<MeasuredConnection> {
  return database === 'mysql' ? openMysql(url) : openPostgres(url)
}

interface ReadCount {
  readonly name: string
  readonly fetched: number
}

async function openMysql(url: string): Promise<MeasuredConnection> {
  const connection = await Mysql.open(onMysql({ url }))
  const db = dbOfMysql(connection)
  return {
    db,
    async analyze() {
      const tables = await db.all<{ name: string }>`
        SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()`
      for (const { name } of tables) await connection.script(`ANALYZE TABLE ${name}`)
    },
    rowsRead: async () =>
      countsByName(
        await db.all<ReadCount>`
          SELECT object_name AS name, CAST(sum(count_fetch) AS SIGNED) AS fetched
          FROM performance_schema.table_io_waits_summary_by_index_usage
          WHERE object_schema = DATABASE() GROUP BY object_name`,
      ),
    end: () => connection.end(),
  }
}

async function openPostgres(url: string): Promise<MeasuredConnection> {
  const connection = await Postgres.open(onPostgres({ url }))
  const db = dbOfPostgres(connection)
  return {
    db,
    analyze: () => connection.script('ANALYZE').then(() => undefined),
    rowsRead: async () =>
      countsByName(
        await db.all<ReadCount>`
          SELECT t.relname AS name, t.seq_tup_read + coalesce((
            SELECT sum(i.idx_tup_read)::bigint FROM pg_stat_user_indexes i
            WHERE i.relid = t.relid), 0) AS fetched
          FROM pg_stat_user_tables t`,
      ),
    end: () => connection.end(),
  }
}

function countsByName(read: readonly ReadCount[]): ReadonlyMap<string, number> {
  return new Map(read.map(({ name, fetched }) => [name, fetched]))
}
