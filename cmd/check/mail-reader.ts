import type { Line } from './cluster/instance.ts'

const leading = /https?:\/\/\S+\/(?:verify-email|register\/passkey)\/\S+/

/**
 * Reads the links of mails from the log of a server that mails to nobody, the last one by who gets it: of each mail its
 * lines come after what says to whom it goes.
 */
export function mailReader(links: Map<string, string>): (line: Line) => void {
  let to = ''
  return ({ message, to: recipients }) => {
    if (message === 'mail') to = String(recipients)
    const link = leading.exec(message)?.[0]
    if (link) links.set(/[^<\s]+@[^>\s]+/.exec(to)?.[0] ?? '', link)
  }
}
