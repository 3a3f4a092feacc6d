import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../testing/test-app.ts'

const mega = 1024 * 1024

/** Sends the head of a request, and once it is answered and the connection ended, so many bytes of its body. */
async function sentAfterAnswer(port: number, head: string, bytes: number) {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (part) => (text += part))
  socket.write(`${head}\r\nHost: app.test\r\n\r\n`)
  await once(socket, 'end')
  const fault = await new Promise<Error | undefined>((resolve) => {
    socket.once('error', resolve).once('close', () => resolve(undefined))
    socket.end(Buffer.alloc(bytes))
  })
  const last = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].at(-1)
  return { status: Number(last?.[1]), fault }
}

const long = `Content-Length: ${64 * mega}`
// It takes as long as its hash, while the connection fills up with the next body.
const credentials = 'email=ann%40example.com&password=not+her+password'
const login = `POST /login HTTP/1.1\r\nHost: app.test\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${credentials.length}\r\n\r\n${credentials}`
const chunked = `POST /login HTTP/1.1\r\nHost: app.test\r\nTransfer-Encoding: chunked\r\n\r\n${(2 * mega).toString(16)}\r\n${'x'.repeat(mega)}`

test.each([
  ['a form that is too long', `POST /login HTTP/1.1\r\n${long}`, 413],
  ['a call of the API', `GET /api/user HTTP/1.1\r\n${long}`, 413],
  ['a report of another type', `POST /csp-reports HTTP/1.1\r\n${long}`, 415],
  ['chunks that nobody reads', 'GET /up HTTP/1.1\r\nTransfer-Encoding: chunked', 200],
  [
    'a form too long behind another request',
    `GET /up HTTP/1.1\r\nHost: app.test\r\n\r\nPOST /login HTTP/1.1\r\n${long}`,
    413,
  ],
  ['a chunked form refused behind a login', `${login}${chunked}`, 413],
  [
    'headers that are too long',
    `POST /login HTTP/1.1\r\nX: ${'a'.repeat(16 * 1024)}\r\n${long}`,
    431,
  ],
  ['a target that is too long', `POST /${'a'.repeat(8192)} HTTP/1.1\r\n${long}`, 414],
])(
  'the response to %s is not followed by a reset while the body is still arriving',
  async (_, head, status) => {
    const app = await testApp()
    expect(await sentAfterAnswer(app.port, head, 8 * mega)).toEqual({ status, fault: undefined })
  },
)

test('a body of 64 MiB that nobody reads is cut off with an error', async () => {
  const app = await testApp()
  const head = `POST /login HTTP/1.1\r\n${long}`
  expect(await sentAfterAnswer(app.port, head, 64 * mega)).toEqual({
    status: 413,
    fault: expect.any(Error),
  })
})
