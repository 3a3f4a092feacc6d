import { opener } from '../server/open.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { busyOrRefused, endsTransaction, takesNoWrite } from './connection/errors.ts'
import { guardOf } from './connection/guard.ts'
import { runStatement } from './statements.ts'
import { MysqlTransaction } from './connection/transaction.ts'

export const openDatabase = opener({
  serverOf,
  connect: (url, options) => Connection.open(url, options),
  guardOf,
  busyOf: busyOrRefused,
  dialect: {
    runStatement,
    transaction: (connection) => new MysqlTransaction(connection),
    runsAgain: endsTransaction,
    // The server prepares a statement again by itself after its table was changed.
    isOutdated: () => false,
    takesNoWrite,
  },
})
