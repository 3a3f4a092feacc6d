import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { readParts } from './multipart.ts'
import { pourBody, type BodyConsumer } from '../node/read-body.ts'

/** Starts a server that pours each body into `into` within a time limit, and answers with what is thrown. */
async function pouring(into: BodyConsumer, milliseconds: number): Promise<number> {
  const server = createServer((request, response) => {
    pourBody(request, into, { bytes: 1000, milliseconds, late: () => 408 }).then(
      () => response.end('all of it'),
      (error: { status?: number; headers?: Record<string, string> }) =>
        response.writeHead(error.status ?? 500, error.headers).end(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Returns the server's answer to a body that stalls after its beginning. */
async function answerOf(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port })
  socket.write('POST / HTTP/1.1\r\nHost: app.test\r\nContent-Length: 100\r\n\r\nslow')
  return (await socket.setEncoding('latin1').toArray()).join('')
}

test('a body that exceeds its time limit is refused with the error for that, and the connection closed', async () => {
  const port = await pouring(async (chunks) => void (await Array.fromAsync(chunks)), 20)
  expect(await answerOf(port)).toMatch(/^HTTP\/1.1 408 .*\r\nConnection: close\r\n/s)
})

test('a body that its reader never takes is refused at its time limit, and the connection closed', async () => {
  const port = await pouring(() => new Promise(() => {}), 20)
  expect(await answerOf(port)).toMatch(/^HTTP\/1.1 408 .*\r\nConnection: close\r\n/s)
})

test('an error in the code that reads a body is a server error, not a bad request', async () => {
  const fault = new TypeError('broken')
  const port = await pouring(() => Promise.reject(fault), 1000)
  const body = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'all' })
  const receive = () => {
    throw fault
  }
  const parts = Buffer.from(
    '--x\r\nContent-Disposition: form-data; name="photo"; filename="a"\r\n\r\nall\r\n--x--\r\n',
  )
  const file = readParts('multipart/form-data; boundary=x', (into) => into([parts]), {
    field: 'photo',
    receive,
  })
  await expect(file).rejects.toBe(fault)
  expect(body.status).toBe(500)
})
