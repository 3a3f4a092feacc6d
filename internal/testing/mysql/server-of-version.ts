import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** Imitates a MySQL server of this version, which answers everything with the version, until the end of the test. */
export async function serverOfVersion(version: string): Promise<{ port: number }> {
  return listening((socket) => {
    socket.write(packet(0, greeting(version)))
    socket.once('data', () => {
      // Accepts any login.
      socket.write(packet(2, Buffer.from([0, 0, 0, 2, 0, 0, 0])))
      socket.on('data', () => socket.write(answer(version)))
    })
  })
}

/** Imitates a MySQL server that refuses every connection with this error, until the end of the test. */
export async function serverThatRefuses(code: number, message: string): Promise<{ port: number }> {
  const head = Buffer.alloc(3, 0xff)
  head.writeUInt16LE(code, 1)
  return listening((socket) => {
    socket.end(packet(0, Buffer.concat([head, Buffer.from(message)])))
  })
}

async function listening(answer: (socket: Socket) => void): Promise<{ port: number }> {
  const server = createServer((socket) => answer(socket.on('error', () => {})))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port }
}

// MySQL: Protocol::HandshakeV10, Protocol 4.1 with authentication plugins, without TLS.
function greeting(version: string): Buffer {
  const abilities = Buffer.alloc(2)
  abilities.writeUInt16LE(0x82_09)
  return Buffer.concat([
    Buffer.from([10]),
    Buffer.from(`${version}\0`),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('saltsalt\0'),
    abilities,
    // Its character set, status, further capabilities, and the salt's length.
    Buffer.from([45, 2, 0, 0x08, 0, 21]),
    Buffer.alloc(10),
    Buffer.from('saltsaltsalt\0mysql_native_password\0'),
  ])
}

/** One row of one column, containing the version. */
function answer(version: string): Buffer {
  const length = Buffer.from([12, 45, 0, 80, 0, 0, 0, 253, 0, 0, 0, 0, 0])
  const texts = ['def', '', '', '', 'version', ''].map(withLength)
  const end = Buffer.from([0xfe, 0, 0, 2, 0])
  const column = Buffer.concat([...texts, length])
  const parts = [Buffer.from([1]), column, end, withLength(version), end]
  return Buffer.concat(parts.map((part, at) => packet(at + 1, part)))
}

/** Returns a text preceded by its length. */
function withLength(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
}

/** Returns a packet: length, sequence number and body. */
function packet(number: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeUIntLE(body.length, 0, 3)
  head.writeUInt8(number, 3)
  return Buffer.concat([head, body])
}
