import { broadcasts as mysqlBroadcasts } from '../../internal/db/mysql/broadcasts.ts'
import { openDatabase as openMysql } from '../../internal/db/mysql/driver.ts'
import { broadcasts as postgresBroadcasts } from '../../internal/db/postgres/broadcasts.ts'
import { openDatabase as openPostgres } from '../../internal/db/postgres/driver.ts'
import { addUsers as addToMysql } from '../../internal/testing/mysql/many-users.ts'
import { startServer as startMysql } from '../../internal/testing/mysql/own-server.ts'
import { startServer as startPostgres } from '../../internal/testing/postgres/embedded-server.ts'
import { addUsers as addToPostgres } from '../../internal/testing/postgres/many-users.ts'
import type { DatabaseAccess } from '../../internal/testing/database/fill-database.ts'

interface DatabaseServer {
  readonly behind: DatabaseAccess
  /** Starts a server with its data in a folder; its commits survive a power cut. */
  readonly start: (folder: string) => Promise<{ url: string; stop(): Promise<void> }>
}

/** The database servers that can be built for. */
export const servers: Readonly<Record<string, DatabaseServer>> = {
  postgres: {
    behind: {
      openDatabase: openPostgres,
      addUsers: addToPostgres,
      broadcasts: postgresBroadcasts,
    },
    start: (folder) => startPostgres(folder, { durable: true }),
  },
  mysql: {
    behind: { openDatabase: openMysql, addUsers: addToMysql, broadcasts: mysqlBroadcasts },
    start: (folder) => startMysql(folder, { durable: true }),
  },
}
