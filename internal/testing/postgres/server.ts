import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { testedServer, urlWith } from '../database/on-server.ts'

/** Has work done on the server that DB_URL names, in the database there. Throws, saying so, when there is none. */
export async function withServer<Result>(
  work: (
    ask: (text: string) => Promise<void>,
    urlOf: (database: string) => string,
  ) => Promise<Result>,
): Promise<Result> {
  const server = testedServer('test:postgres')
  const connection = await Connection.open(serverOf(server))
  try {
    return await work(
      (text) => connection.script(text),
      (database) => urlWith(server, database),
    )
  } finally {
    await connection.end()
  }
}
