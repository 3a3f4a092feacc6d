import { escapeControls } from '../text/escape.ts'
import { type Account, masked } from './masked.ts'
import type { Watcher } from './smtp-connection.ts'

/**
 * Reports what this program and a mail server say to each other, line by line: `C:` is this program, `S:` the
 * server. Secrets are masked, in base64 too, and where the server repeats them.
 */
export function dialogue(account: Account, report: (line: string) => void): Watcher {
  const secret = new AuthDialogue()
  const printLine = (line: string) => report(escapeControls(masked(line, account)))
  return {
    connected: (address) => printLine(`-- connected to ${address}`),
    certificate({ subject, issuer, valid_to: end }) {
      printLine(`-- the certificate is of ${nameOf(subject)}, from ${nameOf(issuer)}, until ${end}`)
    },
    sent(by, text) {
      const mark = by === 'client' ? 'C' : 'S'
      for (const line of secret.hide(by, text).split(/\r\n|\r|\n/)) printLine(`${mark}: ${line}`)
    },
    mailed: (bytes) => printLine(`C: [the mail, ${bytes} bytes]`),
  }
}

/** Hides what is said between `AUTH` and the server's final answer, whatever the mechanism of the login. */
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
