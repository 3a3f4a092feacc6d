import { runTests } from '../processes/run-on-server.ts'
import { startServer } from './own-server.ts'

await runTests('mysql', async (folder) => {
  const server = await startServer(folder, { durable: false })
  // TLS takes most of the time of connecting, and a test connects several times.
  return { ...server, url: `${server.url}?sslmode=disable` }
})
