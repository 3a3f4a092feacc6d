import { appName } from '../../../web/contract/name.ts'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../internal/base/program/free-port.ts'
import {
  emptyFolder,
  requiredSettings,
  run,
  serve,
} from '../../../internal/testing/processes/executable.ts'

test('health exits with code 0 while the configured server serves, and with 1 once it has stopped', async () => {
  const app = await serve()
  const folder = emptyFolder()
  const whileServing = await health({ HOST: '0.0.0.0', PORT: String(app.port) }, folder)
  const { code } = await app.stop()
  const afterStop = await health({ HOST: '0.0.0.0', PORT: String(app.port) })
  expect(whileServing).toEqual({ code: 0, stdout: 'up\n', stderr: '' })
  expect(readdirSync(folder)).toEqual([])
  expect(code).toBe(0)
  expect(afterStop.code).toBe(1)
  expect(afterStop.stderr).toContain(`Nothing listens at 0.0.0.0:${app.port}. Start the server`)
})

test('health exits with code 1 for a server without its database, one that hangs and another program', async () => {
  const withoutDatabase = await startServer((_request, response) =>
    response.writeHead(503).end('down'),
  )
  const otherProgram = await startServer((_request, response) =>
    response.end('hello '.repeat(100_000)),
  )
  const hangingServer = await startServer((_request, response) => response.flushHeaders())
  const results = await Promise.all(
    [withoutDatabase, otherProgram, hangingServer].map((PORT) => health({ PORT })),
  )
  expect(results.map(({ code, stdout }) => [code, stdout])).toEqual(results.map(() => [1, '']))
  expect(results.map(({ stderr }) => stderr)).toEqual([
    `${appName}: The server at 127.0.0.1:${withoutDatabase} answers 503: it cannot reach its database. See its log.\n`,
    `${appName}: What answers at 127.0.0.1:${otherProgram} is another program. Set HOST and PORT as the server's.\n`,
    `${appName}: What listens at 127.0.0.1:${hangingServer} did not answer within 3 seconds. See its log.\n`,
  ])
})

test('health reports missing settings with exit code 3, and PORT=0 with exit code 1', async () => {
  const missing = await run(['health'])
  const anyPort = await health({ PORT: '0' })
  expect(missing.code).toBe(3)
  expect(missing.stderr).toContain('APP_KEY is not set.')
  expect(anyPort.code).toBe(1)
  expect(anyPort.stderr).toContain('PORT is 0')
})

async function health(settings: Readonly<Record<string, string>>, folder = emptyFolder()) {
  return run(['health'], { folder, settings: { ...(await requiredSettings()), ...settings } })
}

/** Starts a server that answers like this until the end of the test, and returns its port. */
async function startServer(answer: RequestListener): Promise<string> {
  const port = await freePort()
  const server = createServer(answer).listen(port, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return String(port)
}
