import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { testedServer, urlWith } from '../database/on-server.ts'

/** Runs `work` on the server named by DB_URL, in its database. Throws, saying so, if there is none. */
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
