import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type EventEmitter, once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { fileStream } from './file-stream.ts'

const bytes = 2 * 1024 * 1024

/** Streams a file to a browser that reads only the first chunk. */
function stuck(longest: number) {
  const folder = mkdtempSync(join(tmpdir(), 'app-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'file'), Buffer.alloc(bytes))
  const file = createReadStream(join(folder, 'file'))
  const out = new Writable({ write: () => {} })
  const failures: unknown[] = []
  const failed = (error: unknown) => failures.push(error)
  fileStream({ open: () => file, length: bytes, longest, failed })(out)
  return { file, out, failures }
}

/** Resolves when the stream is closed, with an error or without. */
function closed(stream: EventEmitter): Promise<void> {
  return new Promise((resolve) => stream.on('close', resolve))
}

test('the file is closed when the browser disconnects', async () => {
  const { file, out, failures } = stuck(60_000)
  await once(file, 'open')
  out.destroy()
  await closed(file)
  expect(failures).toEqual([])
})

test('the file is closed and the connection cut when the browser does not read for too long', async () => {
  const { file, out, failures } = stuck(20)
  await Promise.all([closed(file), closed(out)])
  expect([out.destroyed, failures]).toEqual([true, []])
})
