import { messageOf } from './error-message.ts'
import { expect, test } from 'vitest'
import { judgeMessage, recipientsOf, type Message } from './mail.ts'

const ann = { address: 'ann@x.test', name: 'Ann' }
const message: Message = { to: [ann], subject: 'Good news', text: 'Hello' }

/** Returns what is wrong with a good message after each change; undefined if nothing is. */
function judged(changes: readonly Partial<Message>[]): (string | undefined)[] {
  return changes.map((change) => {
    try {
      judgeMessage({ ...message, ...change })
      return undefined
    } catch (error) {
      return messageOf(error)
    }
  })
}

test('a mail without a recipient is refused; one in Cc or Bcc is enough', () => {
  const [none, cc, bcc] = judged([{ to: [] }, { to: [], cc: [ann] }, { to: [], bcc: [ann] }])
  expect(none).toBe('The mail has no recipient.')
  expect([cc, bcc]).toEqual([undefined, undefined])
})

const addresses = [
  '',
  'ann',
  '@x.test',
  'ann@',
  'ann@x.test, eve@x.test',
  'ann@x.test;eve@x.test',
  'a, b@x.test',
  'Ann <ann@x.test>',
  '<ann@x.test>',
  '"ann"@x.test',
  'ann@x.test\r\nBcc: eve@x.test',
  'ann@x.test\nRCPT TO:<eve@x.test>',
  'ann@x.test\0',
  'ann@[127.0.0.1]',
]

test('anything but the address of one mailbox is refused in every address field', () => {
  const wrong = judged(addresses.map((address) => ({ to: [{ address }] })))
  expect(wrong.map((why) => why?.slice(0, 39))).toEqual(
    addresses.map(() => 'This is not the address of one mailbox:'),
  )
  const places = judged([
    { from: { address: 'ann' } },
    { cc: [{ address: 'ann' }] },
    { bcc: [{ address: 'ann' }] },
    { replyTo: [{ address: 'ann' }] },
  ])
  expect(new Set(places)).toEqual(new Set(['This is not the address of one mailbox: "ann"']))
})

test('addresses in other scripts and at localhost are accepted', () => {
  const right = ['é@x.test', 'ann@bücher.test', 'root@localhost', "o'neil+news@x.test"]
  expect(judged(right.map((address) => ({ to: [{ address }] })))).toEqual(
    right.map(() => undefined),
  )
})

test('a line break is refused in a subject, a name, a header and a file name', () => {
  const content = Buffer.from('x')
  const wrong = judged([
    { subject: 'Good\r\nBcc: eve@x.test' },
    { subject: 'Good\nnews' },
    { subject: 'Good\u2028news' },
    { to: [{ ...ann, name: 'Ann\r\nBcc: eve@x.test' }] },
    { headers: { 'X-Kind': 'news\r\nBcc: eve@x.test' } },
    { attachments: [{ name: 'x\r\nX-Evil: 1', content }] },
  ])
  expect(wrong.filter((why) => why === undefined)).toEqual([])
})

test('invalid header names and headers that have a field of their own are refused', () => {
  const banned = ['From', 'to', 'CC', 'Bcc', 'Reply-To', 'Subject', 'Sender', 'Date', 'Message-ID']
  const more = ['MIME-Version', 'Content-Type', 'content-x', 'Resent-Bcc', 'List-Unsubscribe']
  const wrong = ['', 'X Kind', 'X:Kind', 'X-Kind\r\nBcc', 'X-Ä']
  const names = [...banned, ...more, ...wrong]
  const faults = judged(names.map((name) => ({ headers: { [name]: 'x' } })))
  expect(faults.filter((why) => why === undefined)).toEqual([])
  expect(judged([{ headers: { 'X-Kind': 'news', 'In-Reply-To': '<1@x.test>' } }])).toEqual([
    undefined,
  ])
})

test('a header value, unsubscribe link or word of the subject too long for one line is refused', () => {
  const long = 'x'.repeat(901)
  const wrong = judged([
    { headers: { 'X-Kind': long } },
    { unsubscribe: `https://x.test/${long}` },
    { subject: `Good ${long}` },
  ])
  expect(wrong.filter((why) => why === undefined)).toEqual([])
  const broken = [`${'x'.repeat(900)} ${'x'.repeat(900)}`, '山'.repeat(2_000)]
  expect(judged(broken.map((subject) => ({ subject })))).toEqual([undefined, undefined])
})

test('an unsubscribe link is accepted only with https', () => {
  const wrong = ['http://x.test/', 'mailto:eve@x.test', 'https://', 'https://x.test/>,<mailto:e@x>']
  const faults = judged(wrong.map((unsubscribe) => ({ unsubscribe })))
  expect(faults.filter((why) => why === undefined)).toEqual([])
  expect(judged([{ unsubscribe: 'https://x.test/u?id=7&token=a.b' }])).toEqual([undefined])
})

const fileOf = (type: string): Partial<Message> => ({
  attachments: [{ name: 'a', type, content: Buffer.from('x') }],
})

test('an invalid content type of an attachment is refused', () => {
  const wrong = ['text', 'text/plain\r\nX: 1', 'text/plain; x', 'multipart/mixed', 'message/rfc822']
  expect(judged(wrong.map(fileOf)).filter((why) => why === undefined)).toEqual([])
  expect(judged(['text/csv', 'text/plain; charset=utf-8'].map(fileOf))).toEqual([
    undefined,
    undefined,
  ])
})

test('an address in several lists is one recipient', () => {
  const to = [ann, { address: 'ANN@x.test' }]
  const cc = [{ address: 'bob@x.test' }]
  expect(recipientsOf({ ...message, to, cc, bcc: [ann, ...cc] })).toEqual([
    'ann@x.test',
    'bob@x.test',
  ])
})
