import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

// Below the ports that the system gives to connections. For each there is another, as far above it as these are apart:
// that is listened on, so that no other program is given the first.
const [first, next] = [20_000, 26_000]
// Milliseconds: what was started on a port by then listens itself.
const longestBeginning = 60_000

/**
 * A port of this machine that nothing listens on, and that no other program is given by this for a minute: two that ask
 * at once would be given the same one now and then, before either listens.
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

/** Holds no process up. undefined: somebody listens there. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1').unref()
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  )
}
