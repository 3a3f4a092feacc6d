import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { pourBody } from './read-body.ts'

/** A server that pours each body away within this time, and answers what is thrown. */
async function pouring(milliseconds: number): Promise<number> {
  const server = createServer((request, response) => {
    pourBody(request, nowhere(), { bytes: 1000, milliseconds }).then(
      () => response.end('all of it'),
      (error: { status: number; headers: Record<string, string> }) =>
        response.writeHead(error.status, error.headers).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

function nowhere(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() })
}

test('a body that takes too long is refused with 413, and the connection closed', async () => {
  const port = await pouring(20)
  const socket = connect({ host: '127.0.0.1', port })
  socket.write('POST / HTTP/1.1\r\nHost: app.test\r\nContent-Length: 100\r\n\r\nslow')
  const answer = await socket.setEncoding('latin1').toArray()
  expect(answer.join('')).toMatch(/^HTTP\/1.1 413 .*\r\nConnection: close\r\n/s)
})
