import { once } from 'node:events'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'

type Cookies = Iterable<readonly [name: string, value: string]>

/** Returns the headers of a photo upload, without its length. */
export function uploadHeaders(cookies: Cookies): string {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  return `POST /settings/profile/photo HTTP/1.1\r\nHost: app.test\r\nX-Page: true\r\nCookie: ${cookie}\r\nContent-Type: multipart/form-data; boundary=edge\r\n`
}

// Bytes: more than Node reads of a body that the app does not read.
const paddingLength = 100_000

/** Starts a photo upload whose body ends only when the test says so, and returns it with its answer. */
export function heldUpload({ port }: { readonly port: number }, cookies: Cookies) {
  const photo = 'RIFF\x1a\0\0\0WEBPVP8L'
  const body = `--edge\r\nContent-Disposition: form-data; name="photo"\r\n\r\n${photo}\r\n--edge--\r\n`
  const socket = connect({ host: '127.0.0.1', port }).setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  // After a refusal the connection may break, after the answer.
  socket.on('data', (chunk: string) => (text += chunk)).on('error', () => {})
  const answer = once(socket, 'close').then(() => text)
  const lines = `Content-Length: ${paddingLength + body.length}\r\nConnection: close\r\n\r\n`
  socket.write(`${uploadHeaders(cookies)}${lines}${'x'.repeat(paddingLength - 2)}\r\n`)
  return {
    answer,
    end: () => void socket.write(body, 'latin1'),
    leave: () => void socket.destroy(),
  }
}
