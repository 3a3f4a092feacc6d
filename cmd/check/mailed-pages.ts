import { paths } from '../../web/contract/paths.ts'
import { cookiesOf, type Server } from './server.ts'

/** A page's path, and the cookies to request it with. */
export interface PageRequest {
  readonly path: string
  readonly cookie?: string
}

const person = { name: 'Ann Example', email: 'ann@example.com', password: 'a few words in a row' }
const otherEmail = 'bob@example.com'

/** Returns the pages that mails lead to, with valid links. */
export async function mailedPages(server: Server): Promise<readonly PageRequest[]> {
  const { email, name, password } = person
  const form = { name, email, password, password_confirmation: password }
  const cookie = cookiesOf(await server.send(paths['register.store'], form))
  await server.send(paths['password.email'], { email })
  await server.send(paths['register.passkey'], { name, email: otherEmail })
  return [
    { path: paths['verification.notice'], cookie },
    { path: pathOf(await server.mailedLink(email, /\/reset-password\//)) },
    { path: pathOf(await server.mailedLink(otherEmail)) },
  ]
}

function pathOf(link: string): string {
  const { pathname, search } = new URL(link)
  return pathname + search
}
