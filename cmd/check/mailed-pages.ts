import type { Interface } from 'node:readline'
import { paths } from '../../web/contract/paths.ts'

/** A page, and the cookies that it is seen with. */
export interface Seen {
  readonly path: string
  readonly cookie?: string
}

const person = { name: 'Ann Example', email: 'ann@example.com', password: 'a few words in a row' }

/** The pages that mails lead to, by valid links, which a server without a mail server writes into its log. */
export async function mailedPages(origin: string, log: Interface): Promise<readonly Seen[]> {
  const { email, name, password } = person
  const mailed = linksIn(log)
  const form = { name, email, password, password_confirmation: password }
  const answer = await send(origin + paths['register.store'], form)
  const cookie = answer.headers.getSetCookie().map(pairOf).join('; ')
  await send(origin + paths['password.email'], { email })
  await send(origin + paths['register.passkey'], { name, email: 'bob@example.com' })
  return [
    { path: paths['verification.notice'], cookie },
    { path: await mailed(/\/reset-password\/[^\s"]+/) },
    { path: await mailed(/\/register\/passkey\/[^\s"]+/) },
  ]
}

async function send(url: string, form: Readonly<Record<string, string>>): Promise<Response> {
  const headers = { Origin: new URL(url).origin }
  const body = new URLSearchParams(form)
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', headers, body })
  if (answer.status !== 303) throw new Error(`${url} answered ${answer.status}.`)
  return answer
}

function pairOf(cookie: string): string {
  return cookie.split(';', 1)[0] ?? ''
}

/** Waits for the first link of a kind. */
function linksIn(log: Interface): (link: RegExp) => Promise<string> {
  const lines: string[] = []
  const news = new EventTarget()
  log.on('line', (line) => {
    lines.push(line)
    news.dispatchEvent(new Event('line'))
  })
  return (link) =>
    new Promise((resolve) => {
      const look = () => {
        const found = lines.flatMap((line) => link.exec(line) ?? [])[0]
        if (found) resolve(found)
      }
      news.addEventListener('line', look)
      look()
    })
}
