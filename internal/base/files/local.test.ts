import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/database/database.ts'
import { localFiles } from './local.ts'

test('check, put and open report a file that stands in place of the photo folder', async () => {
  const folder = join(temporaryFolder(), 'files')
  writeFileSync(folder, '')
  const files = localFiles(folder)
  const message = `${folder} is no folder, and none can be made there: move away what stands in its place, or set FILES_PATH to another folder.`
  await expect(files.check()).rejects.toThrow(message)
  await expect(
    files.put('a/b.png', { content: new Uint8Array(), type: 'image/png' }),
  ).rejects.toThrow(message)
  await expect(files.open('a/b.png')).rejects.toThrow(message)
})

test('a file that cannot be written reports the cause, even when its partial file cannot be deleted', async () => {
  const folder = temporaryFolder()
  // Where the file is written until it is whole.
  mkdirSync(join(folder, 'a.png.part'))
  const put = localFiles(folder).put('a.png', { content: new Uint8Array(), type: 'image/png' })
  await expect(put).rejects.toMatchObject({
    message: expect.stringContaining(`No file could be kept in ${folder}`),
    cause: { code: 'EISDIR', syscall: 'open' },
  })
})

test('nothing is written through a symbolic link in place of a file', async () => {
  const [folder, other] = [temporaryFolder(), temporaryFolder()]
  const target = join(other, 'secret')
  writeFileSync(target, 'a secret')
  for (const name of ['a.png.part', 'check.part']) symlinkSync(target, join(folder, name))
  const files = localFiles(folder)
  const put = files.put('a.png', { content: Buffer.from('a photo'), type: 'image/png' })
  await expect(put).rejects.toThrow(`No file could be kept in ${folder}`)
  await expect(files.check()).rejects.toThrow()
  expect(readFileSync(target, 'utf8')).toBe('a secret')
})

test('deleting a photo fails while its disk is missing, and succeeds once the disk is back', async () => {
  const folder = join(temporaryFolder(), 'files')
  const files = localFiles(folder)
  await files.put('photos/a.png', { content: new Uint8Array([1]), type: 'image/png' })
  renameSync(folder, `${folder}-away`)
  const message = `${folder}/photos is not there, so no file of it is deleted: bring back the disk that ${folder} was on, or set FILES_PATH to where the files are.`
  await expect(files.delete('photos/a.png')).rejects.toThrow(message)
  mkdirSync(folder)
  await expect(files.delete('photos/a.png')).rejects.toThrow(message)
  rmdirSync(folder)
  renameSync(`${folder}-away`, folder)
  await files.delete('photos/a.png')
  // Deleting twice must work: a job may run again.
  await files.delete('photos/a.png')
  expect(readdirSync(join(folder, 'photos'))).toEqual([])
})

test('an invalid key is refused for writing, reading and deleting', async () => {
  const around = temporaryFolder()
  writeFileSync(join(around, 'app.db'), 'all there is')
  const files = localFiles(join(around, 'files'))
  const keys = [
    '../app.db',
    '/etc/passwd',
    'photos/../../app.db',
    'a//b',
    '.',
    'a/.',
    'a\0b',
    'A',
    '',
  ]
  for (const key of keys) {
    const file = { content: Buffer.from('theirs'), type: 'image/png' }
    await expect(files.put(key, file)).rejects.toThrow('no key')
    await expect(files.open(key)).rejects.toThrow('no key')
    await expect(files.delete(key)).rejects.toThrow('no key')
  }
  expect(readdirSync(around)).toEqual(['app.db'])
})
