import { runTests } from '../processes/run-on-server.ts'
import { startServer } from './own-server.ts'

await runTests('mysql', async (folder) => {
  const server = await startServer(folder, { durable: false })
  // TLS is most of what a connection takes, and a test makes several.
  return { ...server, url: `${server.url}?sslmode=disable` }
})
