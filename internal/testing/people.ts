import type { Browser, SendOptions, Visit } from './browser.ts'
import type { TestApp } from './test-app.ts'

export interface Person {
  readonly name: string
  readonly email: string
  readonly password: string
}

export const ann: Person = { name: 'Ann', email: 'ann@x.test', password: 'correct horse' }
export const bob: Person = { name: 'Bob', email: 'bob@x.test', password: 'battery staple' }

/** Returns the register form's fields, filled in by the person. */
export function registration({ name, email, password }: Person): Record<string, string> {
  return { name, email, password, password_confirmation: password }
}

/** Returns a browser that has just registered the person. */
export async function registeredBrowser(app: TestApp, person: Person): Promise<Browser> {
  const browser = app.browser()
  const visit = await browser.post('/register', registration(person))
  if (!visit.user) throw new Error(`${person.email} was not registered: ${visit.body}`)
  return browser
}

/** Logs in; further fields as in the form. */
export function logIn(
  browser: Browser,
  { email, password }: Pick<Person, 'email' | 'password'>,
  options: SendOptions = {},
): Promise<Visit> {
  return browser.post('/login', { email, password }, options)
}

/** Options of an app behind a local proxy, so that a request may come `from` any address. */
export const behindProxy = { config: { trustedProxies: ['loopback'] } }

/** Sends from this client address. */
export function from(address: string): SendOptions {
  return { headers: { 'X-Forwarded-For': address } }
}
