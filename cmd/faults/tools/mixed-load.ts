import { setTimeout as pause } from 'node:timers/promises'
import { emailOf, password } from '../../../internal/testing/database/fill-database.ts'
import { photoOf, upload } from './changes.ts'
import { type Answer, ask, Visitor } from './client.ts'
import { openStream } from './connection.ts'
import { onCleanUp } from './cleanup.ts'
import type { Server } from './servers.ts'

/** A load that runs until it is stopped, with the number of its requests and their failures. */
export interface Load {
  readonly requests: number
  /** Answers of 500 and above, and missing ones. */
  readonly failed: readonly string[]
  stop(): Promise<void>
}

const readers = 8
const streams = 10
/** The number of participating users, from the first. */
export const mixedUsers = 40

/** Starts everything that people, browsers and programs do, concurrently: about a hundred requests a second. */
export function startMixedLoad(server: Server, tokens: readonly string[]): Load {
  const load = { requests: 0, failed: [] as string[], isStopped: false }
  const repeat = async (name: string, interval: number, work: (n: number) => Promise<Answer[]>) => {
    for (let n = 0; !load.isStopped; n++) {
      await work(n).then(
        (answers) => record(load, name, answers),
        (error: unknown) => void load.failed.push(`${name}: ${String(error)}`),
      )
      await pause(interval)
    }
  }
  const loops = [
    ...Array.from({ length: readers }, (_, user) =>
      repeat('pages', 100, pageReader(server, 1 + user)),
    ),
    ...Array.from({ length: streams }, (_, n) =>
      repeat('streams', 1000, streamOpener(server, 10 + (n % 5))),
    ),
    repeat('guests', 100, (n) => visitAsGuest(server, n)),
    repeat('logins', 1000, (n) => logInAndOut(server, n)),
    repeat('changes', 1000, settingsChanger(server, 20)),
    repeat('photos', 1000, (n) => uploadPhoto(server, 30 + (n % 10))),
    repeat('API', 50, (n) => callApi(server, tokens[n % tokens.length] ?? '')),
    repeat('cut', 500, () => abortRequest(server)),
  ]
  onCleanUp(() => (load.isStopped = true))
  return {
    get requests() {
      return load.requests
    },
    failed: load.failed,
    async stop() {
      load.isStopped = true
      await Promise.all(loops)
    },
  }
}

function record(
  load: { requests: number; failed: string[] },
  name: string,
  answers: readonly Answer[],
) {
  load.requests += answers.length
  for (const { status } of answers) if (status >= 500) load.failed.push(`${name}: ${status}`)
}

// oxfmt-ignore
const pages = [
  '/dashboard', '/notifications', '/settings/profile', '/settings/security', '/settings/tokens', '/settings/appearance',
  '/', '/up', '/no-such-page', '/confirm-password',
]

/** A user moves from page to page, by documents and by page requests. */
function pageReader(server: Server, user: number): (n: number) => Promise<Answer[]> {
  const visitor = new Visitor(server)
  return async (n) => {
    if (n === 0) await visitor.logIn(emailOf(user))
    const path = pages[n % pages.length] ?? '/'
    const headers = { 'Accept-Encoding': n % 3 === 0 ? 'br' : 'identity' }
    return [await visitor.get(path, n % 2 === 0 ? { ...headers, 'X-Page': 'true' } : headers)]
  }
}

/** Opens a stream, and closes it after a while. */
function streamOpener(server: Server, user: number): (n: number) => Promise<Answer[]> {
  const visitor = new Visitor(server)
  return async (n) => {
    if (n === 0) await visitor.logIn(emailOf(user))
    const { socket } = await openStream(server.port, visitor.cookie)
    await pause(2000 + Math.random() * 3000)
    socket.destroy()
    return []
  }
}

const guestPages = ['/login', '/register', '/forgot-password', '/', '/api/openapi.json']

async function visitAsGuest(server: Server, n: number): Promise<Answer[]> {
  const guest = new Visitor(server)
  const answers = [await guest.get(guestPages[n % guestPages.length] ?? '/')]
  if (n % 10 === 0)
    answers.push(await guest.post('/forgot-password', { email: emailOf(1 + (n % mixedUsers)) }))
  if (n % 10 === 5) answers.push(await guest.post('/register', { name: '', email: 'none' }))
  guest.leave()
  return answers
}

/** Logs in and out again; every third time with a wrong password. */
async function logInAndOut(server: Server, n: number): Promise<Answer[]> {
  const visitor = new Visitor(server)
  const form = { email: emailOf(1 + (n % mixedUsers)), password: n % 3 === 2 ? 'wrong' : password }
  const answers = [await visitor.post('/login', form), await visitor.get('/dashboard')]
  answers.push(await visitor.post('/logout', {}))
  visitor.leave()
  return answers
}

/** A user changes name and tokens, which their other open pages are notified of. */
function settingsChanger(server: Server, user: number): (n: number) => Promise<Answer[]> {
  const visitor = new Visitor(server)
  return async (n) => {
    if (n === 0) await visitor.logIn(emailOf(user))
    const token = { name: `Token ${n}`, abilities: 'user:read', expiry: '30' }
    const answers = [await visitor.rename(`Name ${n}`, emailOf(user))]
    if (n % 4 === 0) answers.push(await visitor.post('/settings/tokens', token))
    const { body } = await visitor.get('/settings/tokens')
    const [tokenPath] = /\/settings\/tokens\/\d+/.exec(body) ?? []
    if (tokenPath !== undefined) answers.push(await visitor.post(tokenPath, { _method: 'DELETE' }))
    return answers
  }
}

async function uploadPhoto(server: Server, user: number): Promise<Answer[]> {
  const visitor = new Visitor(server)
  await visitor.logIn(emailOf(user))
  const answers = [await upload(visitor), await photoOf(visitor)]
  visitor.leave()
  return answers
}

async function callApi({ port }: Server, token: string): Promise<Answer[]> {
  const headers = { Authorization: `Bearer ${token}` }
  return [await ask(port, '/api/user', { headers })]
}

/** Closes the connection in the middle of the answer. */
async function abortRequest({ port }: Server): Promise<Answer[]> {
  const controller = new AbortController()
  const request = fetch(`http://127.0.0.1:${port}/login`, { signal: controller.signal })
  controller.abort()
  await request.catch(() => {})
  return []
}
