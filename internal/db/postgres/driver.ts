import { opener } from '../server/open.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { busyOrRefused, isOutdated, runsAgain, takesNoWrite } from './connection/errors.ts'
import { guardOf } from './connection/guard.ts'
import { runStatement } from './statements.ts'
import { PostgresTransaction } from './connection/transaction.ts'

export const openDatabase = opener({
  serverOf,
  connect: (url, options) => Connection.open(url, options),
  guardOf,
  busyOf: busyOrRefused,
  dialect: {
    runStatement,
    transaction: (connection) => new PostgresTransaction(connection),
    runsAgain,
    isOutdated,
    takesNoWrite,
  },
})
