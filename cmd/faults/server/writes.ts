import { setTimeout as pause } from 'node:timers/promises'
import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { ask, Visitor } from '../tools/client.ts'
import { run, type Server } from '../tools/servers.ts'
import { until } from '../tools/until.ts'

const users = 4
const guests = 3
// Milliseconds.
const longestWait = 20_000

/** The acknowledged writes. */
export interface Acknowledged {
  /** The emails of the accounts created. */
  readonly emails: Set<string>
  /** Each user's last name. */
  readonly names: number[]
  writes: number
}

/** Makes people write on each server until the end; writes that fail while the database is gone are retried. */
export async function startWriting(
  servers: readonly Server[],
  acknowledged: Acknowledged,
  stopSignal: AbortSignal,
): Promise<{ writing: Promise<unknown> }> {
  const serverOf = (n: number) => servers[n % servers.length] as Server
  const renaming = Array.from({ length: users }, async (_, n) => {
    const visitor = new Visitor(serverOf(n))
    await visitor.register(emailOf(n), '0')
    return async () => {
      const name = (acknowledged.names[n] ?? 0) + 1
      const { status } = await visitor.rename(String(name), emailOf(n))
      if (status === 303) acknowledged.names[n] = name
      return status === 303
    }
  })
  const registering = Array.from({ length: guests }, (_, n) => async () => {
    const visitor = new Visitor(serverOf(n))
    const email = `${crypto.randomUUID()}@example.com`
    await visitor.register(email).finally(() => visitor.leave())
    acknowledged.emails.add(email)
    return true
  })
  const writes = [...(await Promise.all(renaming)), ...registering]
  return {
    writing: Promise.all(writes.map((write) => repeatWrite(write, acknowledged, stopSignal))),
  }
}

async function repeatWrite(
  write: () => Promise<boolean>,
  acknowledged: Acknowledged,
  stopSignal: AbortSignal,
): Promise<void> {
  while (!stopSignal.aborted) {
    const isWritten = await write().catch(() => false)
    if (isWritten) acknowledged.writes += 1
    else await pause(20)
  }
}

export function untilUpAnswers({ port }: Server, status: number): Promise<number> {
  const isAnswered = () => ask(port, '/up').then((answer) => answer.status === status)
  return until(isAnswered, longestWait)
}

/** Returns how many acknowledged writes are missing, according to the app's own commands. */
export async function countLost(
  settings: Readonly<Record<string, string>>,
  acknowledged: Acknowledged,
): Promise<number> {
  const { stdout, code, stderr } = await run(['users', 'list', '--all', '--json'], { settings })
  if (code !== 0) throw new Error(`The accounts could not be listed: ${stderr}`)
  const users = JSON.parse(stdout) as { email: string; name: string }[]
  const names = new Map(users.map(({ email, name }) => [email, Number(name)]))
  const missing = [...acknowledged.emails].filter((email) => !names.has(email)).length
  return (
    missing + acknowledged.names.filter((name, n) => (names.get(emailOf(n)) ?? -1) < name).length
  )
}
