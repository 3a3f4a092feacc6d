import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

// Ports are taken from this range, which lies below the ephemeral ports. Each has a partner, as far above it
// as the range is long: listening on the partner reserves the port.
const [first, next] = [20_000, 26_000]
// Milliseconds that a port stays reserved: by then the program that received it listens on it.
const longestBeginning = 60_000

/**
 * Returns a port of this machine that nothing listens on, and that no other program gets from this function
 * for a minute: otherwise two programs could get the same port before either listens.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    const port = randomInt(first, next)
    const token = await listening(port + next - first)
    if (!token) continue
    const probe = await listening(port)
    probe?.close()
    if (!probe) {
      token.close()
      continue
    }
    setTimeout(() => token.close(), longestBeginning).unref()
    return port
  }
  throw new Error(`There is no free port between ${first} and ${next}.`)
}

/**
 * Listens on a port, without keeping the process running. Returns undefined if another program listens there.
 */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1').unref()
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  )
}
