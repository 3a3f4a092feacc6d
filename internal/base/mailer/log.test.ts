import { expect, test } from 'vitest'
import { makeLog } from '../log.ts'
import type { Message } from '../mail.ts'
import { logMailer } from './log.ts'

const message: Message = {
  to: [{ address: 'ann@x.test', name: 'Ann' }],
  subject: 'Good news',
  text: `Hello Ann,\n\nhttps://x.test/reset/${'a'.repeat(200)}?email=ann%40x.test\r\nBye`,
  html: '<p>not this</p>',
}

async function logged(
  changes: Partial<Message> = {},
  format: 'text' | 'json' = 'text',
  lines: string[] = [],
) {
  const write = (line: string) => void lines.push(line)
  const log = makeLog({ level: 'info', format, write, now: () => new Date(0) })
  await logMailer(log).send({ ...message, ...changes })
  return lines
}

test('a logged mail has sender, recipients with Bcc, subject, unsubscribe link and files', async () => {
  const [first = ''] = await logged(
    {
      from: { address: 'app@x.test' },
      cc: [{ address: 'bob@x.test' }],
      bcc: [{ address: 'eve@x.test' }],
      unsubscribe: 'https://x.test/unsubscribe',
      attachments: [{ name: 'notes.txt', content: Buffer.from('hello') }],
    },
    'json',
  )
  expect(JSON.parse(first)).toEqual({
    time: '1970-01-01T00:00:00.000Z',
    level: 'info',
    message: 'mail',
    from: 'app@x.test',
    to: ['Ann <ann@x.test>'],
    cc: ['bob@x.test'],
    bcc: ['eve@x.test'],
    subject: 'Good news',
    unsubscribe: 'https://x.test/unsubscribe',
    files: ['notes.txt (5 bytes)'],
  })
})

test('each line of the text of a mail is logged in full, and its HTML is left out', async () => {
  const lines = (await logged()).slice(1)
  expect(lines).toEqual([
    '1970-01-01T00:00:00.000Z INFO  mail | Hello Ann,\n',
    `1970-01-01T00:00:00.000Z INFO  mail | ${message.text.split(/\r?\n/)[2]}\n`,
    '1970-01-01T00:00:00.000Z INFO  mail | Bye\n',
  ])
})

test('a mail that SMTP would refuse is refused, and nothing of it is logged', async () => {
  const lines: string[] = []
  await expect(logged({ to: [] }, 'text', lines)).rejects.toThrow('no recipient')
  await expect(logged({ subject: 'Good\nnews' }, 'text', lines)).rejects.toThrow('line break')
  expect(lines).toEqual([])
})
