import { develop, isServerNamed } from './on-server.ts'

process.exitCode = isServerNamed() ? await develop('postgres') : await developOnEmbedded()

/** Starts the server from npm's package, and stops it at the end. */
async function developOnEmbedded(): Promise<number> {
  const { startServer } = await import('../../../internal/testing/postgres/embedded-server.ts')
  const server = await startServer('.postgres', { durable: true })
  console.log(`PostgreSQL keeps its data in .postgres, and is reached at ${server.url}.`)
  try {
    return await develop('postgres', { DB_URL: server.url })
  } finally {
    await server.stop()
  }
}
