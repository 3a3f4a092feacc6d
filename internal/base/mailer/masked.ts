import { withoutTokens } from '../text/without-tokens.ts'

/**
 * Masks in a mail server's text the tokens of links, which it may quote from a mail, and the password, which
 * it may repeat, also in base64, as it was sent.
 */
export function masked(text: string, account: Account): string {
  return withoutPassword(withoutTokens(text), account)
}

function withoutPassword(text: string, { username = '', password }: Account): string {
  if (password === undefined) return text
  const secrets = [
    base64(`\0${username}\0${password}`),
    base64(password),
    ...base64Inside(password),
    password,
  ]
  const plain = secrets
    .filter((secret) => secret.length >= shortestMasked)
    .reduce((rest, secret) => rest.replaceAll(secret, mask), text)
  return withoutProofs(plain, username)
}

export interface Account {
  readonly username?: string
  readonly password?: string
}

/** In characters. A shorter secret would be found in other words as well. */
const shortestMasked = 4

/** Masks responses to a CRAM-MD5 challenge (RFC 2195), from which a short password could be guessed. */
function withoutProofs(text: string, username: string): string {
  return text
    .replace(/[A-Za-z0-9+/]{44,}=*/g, (word) => {
      const decoded = Buffer.from(word, 'base64').toString()
      return decoded.startsWith(`${username} `) ? mask : word
    })
    .replace(/\b[0-9a-f]{32}\b/gi, mask)
}

const mask = '[secret]'

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/**
 * Returns a password in base64 amid other bytes: one text for each of its three possible alignments, without
 * the characters that it shares with its neighbours.
 */
function base64Inside(password: string): string[] {
  const bytes = Buffer.from(password)
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const isCut = (before + bytes.length) % 3 !== 0
    return text.slice(before === 0 ? 0 : before + 1, isCut ? -1 : undefined)
  })
}
