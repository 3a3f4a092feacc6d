import { emailOf } from '../../../internal/testing/database/fill-database.ts'
import { Visitor } from '../tools/client.ts'
import type { Server } from '../tools/servers.ts'

/** Accounts created per round. */
export const accountsPerRound = 12

/** Creates accounts on the servers in turn, each of which pushes a mail job; returns their emails. */
export async function registerAccounts(servers: readonly Server[]): Promise<readonly string[]> {
  const emails = Array.from(
    { length: accountsPerRound },
    () => `${crypto.randomUUID()}@example.com`,
  )
  const register = async (email: string, n: number) => {
    const visitor = new Visitor(servers[n % servers.length] as Server)
    await visitor.register(email)
    visitor.leave()
  }
  await Promise.all(emails.map(register))
  return emails
}

/** Logs in from a new address each time, since an address may try five times a minute. */
export async function logIn(user: Visitor, n: number): Promise<boolean> {
  const visitor = new Visitor(user)
  const isLoggedIn = await visitor.logIn(emailOf(n)).then(
    () => true,
    () => false,
  )
  visitor.leave()
  return isLoggedIn
}
