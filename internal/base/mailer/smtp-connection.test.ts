import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import type { Message } from '../mail.ts'
import { composeMail } from './smtp-connection.ts'

const message: Message = { to: [{ address: 'ann@x.test' }], subject: 'Good news', text: 'Hello' }

async function composed(changes: Partial<Message>) {
  const content = await composeMail({ ...message, ...changes })
  return { text: String(content), mail: await PostalMime.parse(content) }
}

const attached = (name: string, content = 'hello', type?: string) => ({
  attachments: [{ name, type, content: Buffer.from(content, 'latin1') }],
})

test('Unsubscribe writes the headers of RFC 8058', async () => {
  const unsubscribe = `https://x.test/unsubscribe?token=${'a'.repeat(300)}`
  const { mail } = await composed({ unsubscribe })
  expect(mail.headers).toContainEqual(
    expect.objectContaining({ key: 'list-unsubscribe', value: `<${unsubscribe}>` }),
  )
  expect(mail.headers).toContainEqual(
    expect.objectContaining({
      key: 'list-unsubscribe-post',
      value: 'List-Unsubscribe=One-Click',
    }),
  )
})

/** Returns the Auto-Submitted headers of a mail that is composed with these headers. */
async function sentBy(headers: Record<string, string>): Promise<string[]> {
  const { mail } = await composed({ headers })
  return mail.headers.filter(({ key }) => key === 'auto-submitted').map(({ value }) => value)
}

test('a mail has Auto-Submitted: auto-generated unless its own headers set it', async () => {
  expect(await sentBy({ 'X-Kind': 'news' })).toEqual(['auto-generated'])
  expect(await sentBy({ 'auto-submitted': 'no' })).toEqual(['no'])
})

test('a name with commas and quotes stays the name of one mailbox', async () => {
  const to = [{ address: 'ann@x.test', name: 'Ann "A", eve@x.test' }]
  const replyTo = [{ address: 'help@x.test', name: 'Hilfe für alle' }]
  const { mail } = await composed({ to, replyTo })
  expect(mail.to).toEqual(to)
  expect(mail.replyTo).toEqual(replyTo)
})

test('custom headers are written', async () => {
  const { mail } = await composed({ headers: { 'X-Kind': 'news' } })
  expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'x-kind', value: 'news' }))
})

test('a mail with attachments is multipart/mixed with the files in base64', async () => {
  const { text, mail } = await composed({ html: '<p>Hello</p>', ...attached('notes.txt') })
  expect(text).toMatch(/^Content-Type: multipart\/mixed;/m)
  expect(text).toMatch(/^Content-Type: multipart\/alternative;/m)
  expect(text).toContain(`Content-Transfer-Encoding: base64\r\n`)
  expect(text).toContain(Buffer.from('hello').toString('base64'))
  expect(mail.attachments).toMatchObject([{ filename: 'notes.txt', disposition: 'attachment' }])
})

const typeOf = async (content: string, type?: string) =>
  (await composed(attached('file', content, type))).mail.attachments[0]?.mimeType

test('the type of an attachment is detected from its first bytes unless it is set', async () => {
  expect(await typeOf('\x89PNG\r\n\x1a\n')).toBe('image/png')
  expect(await typeOf('\xff\xd8\xff\xe0')).toBe('image/jpeg')
  expect(await typeOf('RIFF\x01\x02\x03\x04WEBPVP8 ')).toBe('image/webp')
  expect(await typeOf('%PDF-1.7')).toBe('application/pdf')
  expect(await typeOf('PK\x03\x04')).toBe('application/zip')
  expect(await typeOf(' <!DOCTYPE html>')).toBe('text/html')
  expect(await typeOf('plain words')).toBe('text/plain')
  expect(await typeOf('\xfe\xff\x00')).toBe('application/octet-stream')
  expect(await typeOf('')).toBe('application/octet-stream')
  expect(await typeOf('%PDF-1.7', 'text/csv')).toBe('text/csv')
})

/** Returns the file name in Content-Disposition, decoded by RFC 2231. */
function fileNameIn(text: string): string {
  const header = /^Content-Disposition: (.*(?:\r\n\s.*)*)/m.exec(text)?.[1] ?? ''
  const sections = [...header.matchAll(/filename(\*\d+)?(\*)?=(?:"((?:\\.|[^"])*)"|([^;\s]*))/g)]
  return sections
    .map(([, , isEncoded, quoted, token = '']) => {
      if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1')
      return isEncoded ? decodeURIComponent(token.replace(/^utf-8''/i, '')) : token
    })
    .join('')
}

test('attachment names are encoded as RFC 2231 requires', async () => {
  const names = [
    'notes.txt',
    'two words.txt',
    'résumé.pdf',
    '漢字 ファイル.txt',
    'a"b;c=d.txt',
    '=?utf-8?q?x?=.txt',
    "100% o'clock\\.txt",
    `${'long '.repeat(50)}é.txt`,
  ]
  const texts = await Promise.all(names.map(async (name) => (await composed(attached(name))).text))
  expect(texts.map(fileNameIn)).toEqual(names)
  expect(texts.filter((text) => /[^\x20-\x7e\r\n]/.test(text))).toEqual([])
})

test('no line of a mail is longer than the 998 characters that SMTP allows', async () => {
  const long = 'word '.repeat(600)
  const { text } = await composed({
    subject: long,
    text: `${long}\n${'x'.repeat(3000)}`,
    html: long,
  })
  const longest = Math.max(...text.split('\r\n').map((line) => line.length))
  expect(longest).toBeLessThanOrEqual(998)
})

test('composing a mail reads no local file and no other address', async () => {
  const html = '<img src="file:///etc/hostname"><img src="http://127.0.0.1:1/a.png">'
  const { mail } = await composed({ html, ...attached('/etc/hostname') })
  expect(mail.html).toBe(`${html}\n`)
  expect(mail.attachments).toHaveLength(1)
  expect(String(Buffer.from(mail.attachments[0]?.content as ArrayBuffer))).toBe('hello')
})
