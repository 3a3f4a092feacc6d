import { availableParallelism } from 'node:os'
import {
  emailOf,
  fill,
  password,
  passwords,
} from '../../internal/testing/database/fill-database.ts'
import { perSecond, post } from './load.ts'
import type { Programs, RunningProgram } from './programs.ts'
import { compare, type Row } from './table.ts'

// Many short rounds, so that both sides of a ratio are measured under the same machine load.
const rounds = 15
const hashes = 60
const users = 1000
// Enough to keep a hash waiting at all times, and far fewer than the 32 that may wait.
const connections = 8

/** Compares logins and registrations with hashing alone. Each comes from an address of its own. */
export async function hashing(programs: Programs): Promise<readonly Row[]> {
  const database = programs.database()
  await fill({ file: database }, users)
  const app = await programs.app(database)
  const columns = {
    referenceName: 'hashes',
    aim: { least: 0.95 },
    unit: '/s',
    measureReference: bareHashing,
  }
  return compare(rounds, [
    { ...columns, title: 'login', measure: () => logins(app) },
    { ...columns, title: 'register', measure: () => registrations(app) },
  ])
}

/** Returns hashes per second in this process with nothing around them, one at a time per processor. */
async function bareHashing(): Promise<number> {
  let remaining = hashes
  const hashRemaining = async () => {
    while (remaining-- > 0) await passwords.hashPassword(password, '')
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: availableParallelism() }, hashRemaining))
  return (hashes / (performance.now() - started)) * 1000
}

/** Returns logins per second, each from an address of its own. */
export function logins(
  { port }: RunningProgram,
  extent = { connections, requests: hashes },
): Promise<number> {
  return perSecond({
    port,
    ...extent,
    request: (n) => post('/login', nextAddress(), { email: emailOf(1 + (n % users)), password }),
  })
}

/** Returns registrations per second, each from an address of its own. */
export function registrations({ port }: RunningProgram): Promise<number> {
  return perSecond({
    port,
    connections,
    requests: hashes,
    request: () => {
      const address = nextAddress()
      const email = `${address}@example.com`
      const form = { name: 'Ann', email, password, password_confirmation: password }
      return post('/register', address, form)
    },
  })
}

let addresses = 0

function nextAddress(): string {
  const n = addresses++
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
}
