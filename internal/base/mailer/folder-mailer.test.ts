import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Message } from '../mail.ts'
import { folderMailer } from './folder-mailer.ts'

const message: Message = {
  to: [{ address: 'ann@x.test', name: 'Ann' }],
  bcc: [{ address: 'eve@x.test' }],
  subject: 'Good news',
  text: 'Hello Ann,\n\nhttps://x.test/verify/1.b\n',
}

function openMailer() {
  const parent = mkdtempSync(join(tmpdir(), 'mailbox-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const folder = join(parent, '.mail')
  const lines: string[] = []
  return { folder, lines, box: folderMailer(folder, (line) => lines.push(line)) }
}

test('each mail is stored as SMTP would send it, with its envelope in a second file', async () => {
  const { folder, box } = openMailer()
  await box.send(message)
  await box.send({ ...message, subject: 'More news' })
  const names = readdirSync(folder).toSorted()
  expect(names.map((name) => name.replace(/^.*\./, ''))).toEqual(['eml', 'json', 'eml', 'json'])
  const [mail, envelope, second] = names.map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(mail).toMatch(/^To: Ann <ann@x\.test>\r\nSubject: Good news\r\n/m)
  expect(mail).not.toContain('eve@')
  expect(JSON.parse(envelope ?? '')).toEqual({
    to: ['ann@x.test', 'eve@x.test'],
    bcc: ['eve@x.test'],
  })
  expect(second).toContain('Subject: More news\r\n')
})

test('only the owner can read stored mails, which contain links to set passwords', async () => {
  const { folder, box } = openMailer()
  await box.send(message)
  const modes = [folder, ...readdirSync(folder).map((name) => join(folder, name))].map(
    (path) => statSync(path).mode & 0o077,
  )
  expect(modes).toEqual([0, 0, 0])
})

test('the printed line has recipients with Bcc, subject and link', async () => {
  const { lines, box } = openMailer()
  await box.send(message)
  expect(lines).toEqual([
    'Mail to ann@x.test, eve@x.test (Bcc eve@x.test): Good news. Link: https://x.test/verify/1.b',
  ])
})

test('a mail that SMTP would refuse is refused, and nothing of it is stored', async () => {
  const { folder, lines, box } = openMailer()
  await expect(box.send({ ...message, to: [{ address: 'ann' }] })).rejects.toThrow(
    'not the address',
  )
  expect(lines).toEqual([])
  expect(() => readdirSync(folder)).toThrow('ENOENT')
})
