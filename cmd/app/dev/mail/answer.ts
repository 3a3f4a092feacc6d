import { readFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { colours } from '../../../../web/brand/colours.ts'
import { coloursSheet } from '../../../build/plugins/brand-plugin.ts'
import { mailFolder } from './folder.ts'
import { keptMail, newestMails, type KeptFile, type KeptMail } from './newest-mails.ts'
import { mailboxPage } from './page.ts'

/** Answers requests under `/_dev/mail`: the mailbox, and each mail's HTML, source and attachments. */
export async function answerMail(
  url: string,
  response: ServerResponse,
  folder = mailFolder,
): Promise<void> {
  const [id = '', part, number = ''] = url.replace(/\?.*$/, '').split('/').slice(3)
  if (id === 'style.css') return sendStyle(response)
  const mail = await keptMail(id, folder)
  if (id !== '' && !mail)
    return send(response, { status: 404, type: plainText, content: 'Not there.\n' })
  if (!mail || part === undefined) return sendPage(response, mail, folder)
  return sendPart(response, mail, part === 'files' ? Number(number) : part)
}

const plainText = 'text/plain; charset=utf-8'

async function sendPage(
  response: ServerResponse,
  openMail: KeptMail | undefined,
  folder: string,
): Promise<void> {
  const mails = await newestMails(folder)
  send(response, {
    type: 'text/html; charset=utf-8',
    content: mailboxPage(mails, openMail ?? mails[0]),
    policy:
      "default-src 'none'; style-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  })
}

function sendPart(response: ServerResponse, mail: KeptMail, part: string | number): void {
  const file = typeof part === 'number' ? mail.files[part] : undefined
  if (file) return sendFile(response, file)
  if (part === 'source') return send(response, { type: plainText, content: mail.source })
  if (part === 'html' && mail.html !== undefined) return sendHtml(response, mail.html)
  send(response, { status: 404, type: plainText, content: 'Not there.\n' })
}

function sendHtml(response: ServerResponse, html: string): void {
  // Inserted after the doctype and the start of the head, so that the mail renders as it would elsewhere.
  const content = html.replace(
    /^(?:\s*<!doctype[^>]*>)?(?:\s*<html[^>]*>)?(?:\s*<head[^>]*>)?/i,
    '$&<base target="_blank">',
  )
  send(response, {
    type: 'text/html; charset=utf-8',
    content,
    policy: `${sandboxPolicy}; style-src 'unsafe-inline'; img-src data:`,
  })
}

const sandboxPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; base-uri 'none'"

function sendFile(response: ServerResponse, { name, content }: KeptFile): void {
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16)}`,
  )
  response.setHeader('content-disposition', `attachment; filename*=UTF-8''${encoded}`)
  send(response, { type: 'application/octet-stream', content })
}

/** Sends the product's current stylesheet. */
function sendStyle(response: ServerResponse): void {
  const files = ['web/style.css', join(import.meta.dirname, 'mail.css')]
  const sheets = files.map((file) => readFileSync(file, 'utf8'))
  const content = [coloursSheet({ colours }), ...sheets]
    .join('\n')
    .replace("@import 'brand:colours';", '')
  send(response, { type: 'text/css; charset=utf-8', content })
}

interface Answer {
  readonly status?: number
  readonly type: string
  readonly content: string | Uint8Array
  readonly policy?: string
}

function send(
  response: ServerResponse,
  { status = 200, type, content, policy = "default-src 'none'" }: Answer,
): void {
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  response.end(content)
}
