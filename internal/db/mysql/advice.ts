import type { Advices } from '../advice.ts'

/** READ COMMITTED transactions see what others commit meanwhile, which a statement-based binary log cannot replay. */
export const byRows =
  'Set binlog_format of the server to ROW, which is the default: in its configuration, and until its next start by SET GLOBAL binlog_format = ROW.'

/** Advice for what the server refuses on an established connection. */
export const advices: Advices = [
  {
    codes: /^ER_(TABLE|DB|COLUMN|SPECIFIC_)ACCESS_DENIED_ERROR$/,
    advice:
      'Have the user in DB_URL get it by GRANT ALL ON {schema}.*; to restore they need it on those too whose names begin with its name and "_".',
  },
  {
    codes: /^ER_(CANT_EXECUTE_IN_READ_ONLY_TRANSACTION|OPTION_PREVENTS_STATEMENT|READ_ONLY_MODE)$/,
    advice:
      'Set DB_URL to a server that accepts writes, or turn read_only and transaction_read_only off there.',
  },
  {
    codes: /^ER_BINLOG_STMT_MODE_AND_ROW_ENGINE$/,
    advice: byRows,
  },
  {
    codes: /^ER_(RECORD_FILE_FULL|DISK_FULL)$/,
    advice: 'Make room on the disk of the database server, and try again.',
  },
  {
    codes: /^ER_(QUERY|LOCK_WAIT)_TIMEOUT$/,
    advice: 'Try again, and look for what keeps the database busy.',
  },
  {
    codes: /^ER_TOO_LONG_IDENT$/,
    advice:
      'Keep the accounts in a database whose name has at most 31 letters: a restore adds to it, up to the 64 that the server takes.',
  },
  {
    codes: /^ER_NET_PACKET_TOO_LARGE$/,
    advice: 'Raise max_allowed_packet of the server, which is 64M by default.',
  },
]
