import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { appName } from '../../../web/contract/name.ts'
import { sha256 } from '../../base/crypto/random.ts'
import { largestKept } from '../../base/photo.ts'
import { readArchive } from '../../base/program/archive.ts'
import {
  writeBackup,
  emptyPlace,
  userNamesIn,
  otherFilesIn,
  restoreTo,
  withPhotos,
} from '../../testing/database/backups.ts'
import { rowsName, writeManifest, type Manifest } from './manifest.ts'

/** Returns a backup of Ann and Bob, and a place where it was restored. */
async function prepared() {
  const { app, file } = await withPhotos()
  await writeBackup(app, file)
  const place = await emptyPlace()
  await restoreTo(place, file)
  return { file, place }
}

test('a backup in the previous format is refused, with what to do', async () => {
  const { place } = await prepared()
  const file = join(place.folder, 'earlier.tar')
  const manifest = JSON.stringify({ format: 1, app: appName, version: '1.0.0' })
  const entries = [
    { header: { name: 'database', size: 3 }, body: 'all' },
    { header: { name: 'manifest.json', size: manifest.length }, body: manifest },
  ]
  writeFileSync(file, await packTar(entries))
  await expect(restoreTo(place, file)).rejects.toThrow(
    `${file} is of an earlier version, which kept the database in it as a file. Unpack it with tar, stop the server, move the database away with its log if one is beside it, put that file in its place`,
  )
  expect(await userNamesIn(place.database)).toEqual(['Ann', 'Bob'])
})

test('a compressed backup is refused, with what to do', async () => {
  const { file, place } = await prepared()
  const compressed = join(place.folder, 'app.tar.gz')
  writeFileSync(compressed, gzipSync(readFileSync(file)))
  await expect(restoreTo(place, compressed)).rejects.toThrow(
    `${compressed} is compressed, which no backup is: unpack it with gunzip, and name the file that comes of it.`,
  )
  expect(await userNamesIn(place.database)).toEqual(['Ann', 'Bob'])
})

interface Forgery {
  readonly title: string
  readonly forge: (entries: TarEntry[]) => TarEntry[]
  readonly error: string
}

const passwd = { name: '../../../etc/passwd', size: 1 }

// oxfmt-ignore
const forgeries: readonly Forgery[] = [
  { title: 'a way out of the folder', forge: (entries) => [...entries.slice(0, -1), { header: passwd, body: 'x' }, ...entries.slice(-1)], error: 'it holds ../../../etc/passwd' },
  { title: 'an absolute path',        forge: (entries) => [{ header: { name: '/etc/passwd', size: 1 }, body: 'x' }, ...entries], error: 'it holds /etc/passwd' },
  { title: 'a way out by a photo',    forge: (entries) => [{ header: { name: 'files/photos/../../x', size: 1 }, body: 'x' }, ...entries], error: 'it holds files/photos/../../x' },
  { title: 'a link',                  forge: (entries) => [{ header: { name: 'tables/users.jsonl', size: 0, type: 'symlink', linkname: '/etc/passwd' } }, ...entries], error: 'it holds a symlink, tables/users.jsonl' },
  { title: 'a name for terminals',   forge: (entries) => [{ header: { name: '\u001b[2J\n', size: 1 }, body: 'x' }, ...entries], error: String.raw`it holds \u001b[2J\u000a. Take` },
  { title: 'a file twice',            forge: (entries) => [...entries.slice(0, 1), ...entries], error: 'it holds tables/users.jsonl out of place' },
  { title: 'something after its end', forge: (entries) => [...entries, ...entries.slice(0, 1)], error: 'it holds tables/users.jsonl out of place' },
  { title: 'a photo too many',        forge: (entries) => [{ header: { name: `files/photos/${'a'.repeat(26)}.png`, size: 1 }, body: 'x' }, ...entries], error: 'which its manifest does not name' },
  { title: 'a photo too few',         forge: (entries) => entries.toSpliced(-2, 1), error: 'is missing in it' },
  { title: 'another photo',           forge: (entries) => entries.toSpliced(-2, 1, { header: { name: entries.at(-2)?.header.name ?? '', size: 1 }, body: 'x' }), error: 'is not what it was when the backup was made' },
  { title: 'a table too few',         forge: (entries) => entries.slice(1), error: 'is missing in it' },
  { title: 'a table of no name',      forge: (entries) => [{ header: { name: 'tables/x.jsonl', size: 3 }, body: '[]\n' }, ...entries], error: 'which its manifest does not name' },
  { title: 'no manifest',             forge: (entries) => entries.slice(0, -1), error: 'it holds no manifest' },
  { title: 'a manifest of its own',   forge: (entries) => entries.toSpliced(-1, 1, { header: { name: 'manifest.json', size: 2 }, body: '{}' }), error: 'its manifest is of something else' },
  { title: 'a photo without an end',  forge: (entries) => [{ header: { name: `files/photos/${'a'.repeat(26)}.png`, size: largestKept + 1 }, body: new Uint8Array(largestKept + 1) }, ...entries], error: `it holds files/photos/${'a'.repeat(26)}.png, which is too large` },
  { title: 'a time for terminals',    forge: (entries) => described(entries, () => ({ madeAt: '2026-01-05 (\u001b[2J)' })), error: 'its manifest is of something else' },
  { title: 'a time too far',          forge: (entries) => described(entries, ({ migrations }) => ({ migrations: migrations.map((one) => ({ ...one, ranAt: '+200000-01-01T00:00:00.000Z' })) })), error: 'its manifest is of something else' },
  { title: 'a table for terminals',   forge: (entries) => withTable(entries, '\u001b[2J\n', '["x"]\n'), error: String.raw`a line that is no row of \u001b[2J\u000a. Take` },
  { title: 'a number too large',      forge: (entries) => withTable(entries, 'large', '["9999999999999999999"]\n'), error: 'a line that is no row of large. Take' },
  { title: 'an endless manifest',    forge: (entries) => [...entries.slice(0, -1), { header: { name: 'manifest.json', size: 3e6 }, body: new Uint8Array(3e6) }], error: 'it holds manifest.json, which is too large' },
]

/** Changes what the manifest says, and its checksum with it. */
function described(
  entries: TarEntry[],
  change: (manifest: Manifest) => Partial<Manifest>,
): TarEntry[] {
  const { body: before } = entries.at(-1) ?? {}
  const { sha256: _, ...manifest } = JSON.parse((before as Buffer).toString())
  const body = writeManifest({ ...manifest, ...change(manifest) })
  return entries.toSpliced(-1, 1, { header: { name: 'manifest.json', size: body.length }, body })
}

/** Adds a table with one column of integers, and names it in the manifest. */
function withTable(entries: TarEntry[], name: string, body: string): TarEntry[] {
  const file = { name: rowsName(name), size: body.length }
  const table = { name, columns: { id: 'integer' }, lastId: 0, rows: 1 } as const
  return described([{ header: file, body }, ...entries], ({ files, tables }) => ({
    files: [...files, { ...file, sha256: sha256(body).toString('hex') }],
    tables: [...tables, table],
  }))
}

test('a forged archive is refused and changes nothing, whatever was forged', async () => {
  const { app, file } = await withPhotos()
  await writeBackup(app, file)
  const entries: TarEntry[] = []
  for await (const { name, size, content } of readArchive(file, new AbortController().signal))
    entries.push({ header: { name, size }, body: Buffer.concat(await Array.fromAsync(content)) })
  for (const { title, forge, error } of forgeries) {
    writeFileSync(file, await packTar(forge(entries)))
    const place = await emptyPlace()
    await expect(restoreTo(place, file), title).rejects.toThrow(error)
    expect(otherFilesIn(place), title).toEqual([])
    expect(await addresses.isThere(place.database), title).toBe(false)
  }
})

test('a backup of a build of another name is refused, with the name that can restore it', async () => {
  const { file, place } = await prepared()
  const other = `${appName.slice(0, -1)}0`
  const bytes = readFileSync(file).toString('latin1')
  const renamed = bytes.replace(`"app":"${appName}"`, `"app":"${other}"`)
  // As one without a checksum of its own.
  const unsummed = renamed.replace(
    /,"sha256":"\w+"\}(?=\0)/,
    (sum) => `}${' '.repeat(sum.length - 1)}`,
  )
  writeFileSync(file, unsummed, 'latin1')
  await expect(restoreTo(place, file)).rejects.toThrow(
    `${file} is no whole backup of ${appName}: it is one of ${other}, and a build of that name takes it.`,
  )
})

test.each([
  /"ranAt":"20/,
  /"lastId":\d/,
  /"migrations":\[\{"name":"20/,
  /"missing":\[\],"sha256":"\w/,
])('a manifest with one changed bit is refused: %s', async (before) => {
  const { file, place } = await prepared()
  const bytes = readFileSync(file)
  const [found = ''] = before.exec(bytes.toString('latin1')) ?? []
  const at = bytes.indexOf(found) + found.length - 1
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
  writeFileSync(file, bytes)
  await expect(restoreTo(place, file)).rejects.toThrow(
    'manifest.json is not what it was when the backup was made',
  )
  expect(await userNamesIn(place.database)).toEqual(['Ann', 'Bob'])
})

test('a truncated, altered, invalid or missing archive is refused and changes nothing', async () => {
  const { file, place } = await prepared()
  const intact = readFileSync(file)
  const altered = Buffer.from(intact)
  // In the rows of the first table.
  altered.writeUInt8(altered.readUInt8(520) ^ 1, 520)
  const contents = [
    intact.subarray(0, -1024),
    intact.subarray(0, intact.length / 2),
    altered,
    Buffer.from('x'),
  ]
  for (const content of [...contents, Buffer.alloc(0)]) {
    writeFileSync(file, content)
    await expect(restoreTo(place, file)).rejects.toThrow(
      new RegExp(`is no whole backup of ${appName}: .*\\. Take anoth`),
    )
  }
  await expect(restoreTo(place, `${file}.none`)).rejects.toThrow(`There is no file ${file}.none.`)
  for (const other of [place.folder, '/dev/null'])
    await expect(restoreTo(place, other)).rejects.toThrow(`${other} is no file: name an archive`)
  expect(otherFilesIn(place)).toEqual(['files'])
  expect(await userNamesIn(place.database)).toEqual(['Ann', 'Bob'])
})
