import { createServer } from 'node:http'
import { betterAuth } from 'better-auth'
import { getMigrations } from 'better-auth/db/migration'
import { fromNodeHeaders, toNodeHandler } from 'better-auth/node'
import { openDatabase } from './open-database.mjs'

// `better-auth.mjs <port> <file> [cookie-cache]`: its own routes, and `/me` as in its documentation.
const [port, file, cache] = process.argv.slice(2)
const origin = `http://127.0.0.1:${port}`

const auth = betterAuth({
  baseURL: origin,
  secret: 'of a bench, and of nobody else: 0123456789abcdef',
  database: openDatabase(file),
  emailAndPassword: {
    enabled: true,
    autoSignIn: false,
    // Hashing costs the same everywhere, and is left out on both sides.
    password: {
      hash: async (password) => password,
      verify: async ({ hash, password }) => hash === password,
    },
  },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  // Longer than a bench takes, so that refilling the cache does not count.
  session: { cookieCache: { enabled: cache === 'cookie-cache', maxAge: 60 * 60 } },
})

const { runMigrations } = await getMigrations(auth.options)
await runMigrations()

const answerAuth = toNodeHandler(auth)

async function answerMe(request, response) {
  const session = await auth.api.getSession({ headers: fromNodeHeaders(request.headers) })
  const body = JSON.stringify(session?.user ?? null)
  response.writeHead(session ? 200 : 401, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  })
  response.end(body)
}

createServer((request, response) => {
  if (request.url === '/up') return response.end('up')
  return request.url === '/me' ? answerMe(request, response) : answerAuth(request, response)
}).listen(Number(port), '127.0.0.1')
