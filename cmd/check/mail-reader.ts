import type { Line } from './instance.ts'

const linkPattern = /https?:\/\/\S+\/(?:verify-email|reset-password|register\/passkey)\/\S+/

/**
 * Reads mailed links from the log of a server that has no mail server, and keeps the last link per recipient. In the
 * log, the line with the recipient precedes the lines of the mail's text.
 */
export function mailReader(links: Map<string, string>): (line: Line) => void {
  let to = ''
  return ({ message, to: recipients }) => {
    if (message === 'mail') to = String(recipients)
    const link = linkPattern.exec(message)?.[0]
    if (link) links.set(/[^<\s]+@[^>\s]+/.exec(to)?.[0] ?? '', link)
  }
}
