import { escapeControls } from '../escape.ts'
import { type Account, masked } from './masked.ts'
import type { Watcher } from './smtp-connection.ts'

/**
 * Tells what goes between this program and a mail server, a line at a time: `C:` is this program, `S:` the server. No
 * secret is in it, in base64 or otherwise, though the server repeats it.
 */
export function dialogue(account: Account, tell: (line: string) => void): Watcher {
  const secret = new AuthDialogue()
  const say = (line: string) => tell(escapeControls(masked(line, account)))
  return {
    connected: (address) => say(`-- connected to ${address}`),
    certificate({ subject, issuer, valid_to: end }) {
      say(`-- the certificate is of ${nameOf(subject)}, from ${nameOf(issuer)}, until ${end}`)
    },
    said(by, text) {
      const mark = by === 'client' ? 'C' : 'S'
      for (const line of secret.hide(by, text).split(/\r\n|\r|\n/)) say(`${mark}: ${line}`)
    },
    mailed: (bytes) => say(`C: [the mail, ${bytes} bytes]`),
  }
}

/** Follows a login, of whatever mechanism: what is said between `AUTH` and its answer is nobody's business. */
class AuthDialogue {
  #isUnderWay = false

  hide(by: 'client' | 'server', text: string): string {
    if (by === 'server') return this.#hideAnswer(text)
    const [, command, proof] = /^(AUTH \S+)( .*)?$/is.exec(text) ?? []
    if (command) {
      this.#isUnderWay = true
      return proof ? `${command} [secret]` : command
    }
    return this.#isUnderWay ? '[secret]' : text
  }

  #hideAnswer(text: string): string {
    if (this.#isUnderWay && text.startsWith('334')) return '334 [challenge]'
    this.#isUnderWay = false
    return text
  }
}

function nameOf(subject: { CN?: string | string[]; O?: string | string[] } = {}): string {
  const { CN: name, O: organisation } = subject
  return [name ?? organisation ?? 'nobody'].flat().join(', ')
}
