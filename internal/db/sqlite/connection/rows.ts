import type { Value } from '../../db.ts'
import type { ColumnType } from '../../snapshot.ts'
import { camelCase, refuseForgotten } from '../../statement.ts'
import type { Connection, Statement } from '../connection.ts'
import { columnType } from '../schema/columns.ts'
import { wrongCell } from '../schema/wrong-cell.ts'
import { textOf, timeIn } from './times.ts'

/** The statements of one connection, prepared when first used. */
export class Statements {
  readonly connection: Connection
  // Keyed by the template object, which is the same each time a place in the code runs.
  readonly #prepared = new WeakMap<TemplateStringsArray, Prepared>()

  constructor(connection: Connection) {
    this.connection = connection
  }

  of(sql: TemplateStringsArray): Prepared {
    let prepared = this.#prepared.get(sql)
    if (!prepared) {
      prepared = new Prepared(this.connection, sql)
      this.#prepared.set(sql, prepared)
    }
    return prepared
  }
}

/** A prepared statement that takes `Value`s and returns rows as `Db` promises them. */
export class Prepared {
  /** Whether the statement changes nothing. */
  readonly reads: boolean
  readonly #statement: Statement
  readonly #sql: TemplateStringsArray
  #maker: RowMaker = { columns: 0, row: () => ({}) }

  constructor(connection: Connection, sql: TemplateStringsArray) {
    this.#sql = sql
    this.#statement = connection.prepare(withPlaces(sql))
    this.reads = this.#statement.readonly
    if (this.#statement.reader) this.#maker = rowMaker(this.#statement.raw())
  }

  first(values: Value[]): unknown {
    const cells = this.#statement.get(...this.#bound(values)) as unknown[] | undefined
    return cells && this.#row(cells)
  }

  all(values: Value[]): unknown[] {
    const rows = this.#statement.all(...this.#bound(values)) as unknown[][]
    return rows.map((cells) => this.#row(cells))
  }

  run(values: Value[]): number {
    return this.#statement.run(...this.#bound(values)).changes
  }

  #row(cells: unknown[]): unknown {
    // Another process's migration has added a column since.
    if (cells.length !== this.#maker.columns) this.#maker = rowMaker(this.#statement)
    return this.#maker.row(cells)
  }

  #bound(values: unknown[]): unknown[] {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]
      refuseForgotten(value, i, this.#sql)
      if (typeof value === 'boolean') values[i] = value ? 1 : 0
      else if (value instanceof Date) values[i] = textOf(value)
    }
    return values
  }
}

/**
 * Returns the statement's text with a placeholder per value: `(SELECT ?)` after a WHERE or LIMIT. With a plain `?`
 * there, SQLite uses the bound value when it plans a limit or an order of rows with equal columns, and so plans again
 * at each call (STAT4): up to 80 µs for a statement that takes 4.
 */
function withPlaces(sql: TemplateStringsArray): string {
  return sql.reduce(
    (text, part) => text + (/\b(WHERE|LIMIT)\b/.test(text) ? '(SELECT ?)' : '?') + part,
  )
}

interface RowMaker {
  readonly columns: number
  row(this: void, cells: unknown[]): object
}

/** Converts a value other than null; undefined for one that its column cannot hold. */
const converters: Readonly<Partial<Record<ColumnType, (cell: unknown) => unknown>>> = {
  time: timeIn,
  boolean: (cell) => (cell === 1 || cell === 0 ? cell === 1 : undefined),
}

/** What `typeof` says of a value that is taken as it is. */
const typeNames: Readonly<Partial<Record<ColumnType, string>>> = {
  integer: 'number',
  number: 'number',
  text: 'string',
  bytes: 'object',
}

/**
 * Compiles an object literal that makes a statement's rows: a loop that sets properties takes as long as SQLite needs
 * to find a login's row. The code contains only column names of our own SQL, and numbers. A row throws for a value
 * that its column cannot hold.
 */
function rowMaker(statement: Statement): RowMaker {
  const columns = statement.columns()
  const types = columns.map(({ type }) => columnType(type))
  const from = types.map((type) => type && converters[type])
  const fields = columns.map(({ name }, i) => {
    const type = types[i]
    const cell = `c[${i}]`
    const converted = from[i]
      ? `from[${i}](${cell}) ?? wrong(c, ${i})`
      : `typeof ${cell} === ${JSON.stringify(type && typeNames[type])} ? ${cell} : wrong(c, ${i})`
    return `${JSON.stringify(camelCase(name))}: ${type ? `${cell} === null ? null : ${converted}` : cell}`
  })
  const idAt = columns.findIndex(({ name }) => name === 'id')
  const wrong = (cells: readonly unknown[], i: number): never => {
    const { table, column, name } = columns[i] ?? {}
    const type = types[i] ?? 'text'
    const id = columns[idAt]?.table === table ? cells[idAt] : undefined
    throw wrongCell({ table: table ?? '', column: column ?? name ?? '', type, id })
  }
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function('from', 'wrong', `return (c) => ({ ${fields.join(', ')} })`)
  return { columns: columns.length, row: make(from, wrong) as RowMaker['row'] }
}
