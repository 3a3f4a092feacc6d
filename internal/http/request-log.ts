import { appName } from '../../web/contract/name.ts'
import type { Arrived } from './arrived.ts'

/** Writes the request's line. Tokens in paths and what people type into queries stay out of it (security rule 17). */
export function logRequest(c: Arrived, status: number, milliseconds: number): void {
  c.app.log.info('request', {
    method: c.incoming.method,
    path: loggedPath(c) + loggedQuery(c.search),
    status,
    ms: Math.round(milliseconds * 10) / 10,
    address: c.address,
    user: c.sender.user,
    token: c.sender.token,
    request: c.id,
    again: c.again,
  })
}

// Tokens are found percent-encoded too, even more than once, and in any case: whoever reads the log could decode them.
const percent = '%(?:25)*'
const encoded = `${percent}(?:2d|3\\d|[46][1-9a-f]|5[\\daf]|7[\\da])`
// The form of every token that a path takes: expiry, dot, MAC (spec: Tokens that are kept nowhere). The expiry is bounded, since
// a long path of letters would otherwise be walked through again from each of them, for seconds.
const signed = `(?:[\\da-z]|${encoded}){1,16}(?:\\.|${percent}2e)(?:[\\w-]|${encoded}){22}`
// No path takes an API token, but one may be pasted into it; with some letters lost, the rest of it is no less a secret.
const ofApi = `${Array.from(`${appName}_`, eitherWay).join('')}(?:[a-z2-7]|${encoded}){26,}`
const token = new RegExp(`${signed}|${ofApi}`, 'gi')

function eitherWay(letter: string): string {
  const codes = [letter, letter.toUpperCase()].map((one) => one.charCodeAt(0).toString(16))
  return `(?:${letter}|${percent}(?:${codes.join('|')}))`
}

/** The path without tokens: without the part that the route takes for one, and without all that looks like one. */
export function loggedPath({ path, params }: Pick<Arrived, 'path' | 'params'>): string {
  const { token: taken } = params
  if (taken === undefined) return withoutTokens(path)
  const parts = path.split('/')
  return withoutTokens(
    parts.map((part) => (decodeURIComponent(part) === taken ? '[token]' : part)).join('/'),
  )
}

function withoutTokens(path: string): string {
  return path.replace(token, '[token]')
}

/** An address that a browser reports, with neither token nor query. */
export function loggedAddress(address: string): string {
  return withoutTokens(address).replace(/\?.*/s, '?[redacted]')
}

// A page's number is nobody's secret; anything else may be an email or a token.
const plain = new Set(['page'])

function loggedQuery(search: string): string {
  if (search === '') return ''
  const pairs = search.slice(1).split('&', 20)
  const shown = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2)
    // What stands before the `=` may be typed as well.
    if (!/^[a-z_]{1,32}$/.test(name)) return '[redacted]'
    const isPlain = value === '' || (plain.has(name) && /^\d+$/.test(value))
    return isPlain ? pair : `${name}=[redacted]`
  })
  return `?${shown.join('&')}`
}
