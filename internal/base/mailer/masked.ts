/** A text of a mail server, which may repeat what it was told as it was told: in base64. No password is left in it. */
export function masked(text: string, { username = '', password }: Account): string {
  if (password === undefined) return text
  const secrets = [
    base64(`\0${username}\0${password}`),
    base64(password),
    ...inside(password),
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

/** Characters. Less is part of any other word too. */
const shortestMasked = 4

/** The answer to a challenge of CRAM-MD5 (RFC 2195), from which a short password could be guessed. */
function withoutProofs(text: string, username: string): string {
  return text
    .replace(/[A-Za-z0-9+/]{44,}=*/g, (word) => {
      const said = Buffer.from(word, 'base64').toString()
      return said.startsWith(`${username} `) ? mask : word
    })
    .replace(/\b[0-9a-f]{32}\b/gi, mask)
}

const mask = '[secret]'

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** A password amid other bytes in base64: in each of three ways, without the characters that its neighbours share. */
function inside(password: string): string[] {
  const bytes = Buffer.from(password)
  return [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const isCut = (before + bytes.length) % 3 !== 0
    return text.slice(before === 0 ? 0 : before + 1, isCut ? -1 : undefined)
  })
}
