import { runTests } from '../processes/run-on-server.ts'
import { startServer } from './embedded-server.ts'

await runTests('postgres', (folder) => startServer(folder, { durable: false }))
