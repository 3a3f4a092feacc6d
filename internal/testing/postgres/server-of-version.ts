import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/**
 * Imitates a PostgreSQL server of this version until the end of the test. It executes nothing, and knows no setting:
 * an old one does not know those of a newer one.
 */
export async function serverOfVersion(version: string): Promise<{ port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (packet) => {
      // Refuses TLS: the client then continues without.
      if (packet.length === 8) socket.write('N')
      else if (packet[0] === 0)
        socket.write(
          Buffer.concat([
            message('R', Buffer.alloc(4)),
            message('S', Buffer.from(`server_version\0${version}\0`)),
            ready,
          ]),
        )
      else if (packet.includes('SET ')) socket.write(Buffer.concat([unknownSetting, ready]))
      else socket.write(Buffer.concat([message('C', Buffer.from('SELECT 0\0')), ready]))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port }
}

// PostgreSQL: Message Formats. A letter, and a length that includes itself.
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

const ready = message('Z', Buffer.from('I'))
const unknownSetting = message(
  'E',
  Buffer.from('SERROR\0C42704\0Munrecognized configuration parameter\0\0'),
)
