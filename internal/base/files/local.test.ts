import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/database.ts'
import { localFiles } from './local.ts'

test('a file that cannot be kept says why, though what is there of it cannot be deleted either', async () => {
  const folder = temporaryFolder()
  // Where the file would be written until it is whole.
  mkdirSync(join(folder, 'a.png.part'))
  const put = localFiles(folder).put('a.png', { content: new Uint8Array(), type: 'image/png' })
  await expect(put).rejects.toMatchObject({
    message: expect.stringContaining(`No file could be kept in ${folder}`),
    cause: { code: 'EISDIR', syscall: 'open' },
  })
})
