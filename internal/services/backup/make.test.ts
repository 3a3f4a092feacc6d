import type { ServerResponse } from 'node:http'
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../base/crypto/random.ts'
import { addresses } from '#db/address'
import { logins } from '#db/logins'
import { damageDatabase, deleteUsersAlone } from '#testing/damage'
import { savePhoto } from '../../domain/photos/save-photo.ts'
import { addUser, ann, logInAs, loginOf } from '../../testing/database/user-rows.ts'
import {
  writeBackup,
  emptyPlace,
  addLeftoverFolder,
  userNamesIn,
  restoreTo,
  withPhotos,
} from '../../testing/database/backups.ts'
import { migrations } from '../../testing/database/database.ts'
import { exifOf, exifSegment, jpegWith, segmentOf } from '../../testing/formats/photo-parts.ts'
import { jpeg, judged, png } from '../../testing/formats/photos.ts'
import { allUsers, setPhotoKey, deleteUsers } from '../../testing/database/rows.ts'
import { s3Server } from '../../testing/network/s3.ts'
import { testedDatabase } from '../../testing/tested-database.ts'
import { largestPhoto } from '../../../web/contract/limits.ts'
import { largestKept } from '../../base/photo.ts'
import { accountsIn, sizesIn } from './manifest.ts'

const neverAborted = new AbortController().signal

test('a backup is one tar file that only its owner can read, and leaves nothing else behind', async () => {
  const { app, folder, file } = await withPhotos()
  const { size, manifest } = await writeBackup(app, file)
  const listed = execFileSync('tar', ['--list', '--file', file], { encoding: 'utf8' })
  const photos = (await allUsers(app.db)).map(({ photo }) => `files/${photo}`)
  const tables = manifest.tables.map(({ name }) => `tables/${name}.jsonl`)
  expect(listed.trim().split('\n')).toEqual([...tables, ...photos, 'manifest.json'])
  expect([statSync(file).mode & 0o777, statSync(file).size]).toEqual([0o600, size])
  expect(readdirSync(folder)).toEqual(['app.tar'])
  // No reader is left.
  expect(await app.db.emptyLog()).toBe(true)
  expect(manifest).toMatchObject({ version: '1.2.3', missing: [] })
  expect(manifest.tables).toContainEqual(expect.objectContaining({ name: 'users', rows: 2 }))
  expect(manifest.files).toContainEqual({
    name: photos[0],
    size: png().length,
    sha256: sha256(png()).toString('hex'),
  })
})

test('a backup does not reveal which database it comes from', async () => {
  const { app, file } = await withPhotos()
  const { manifest } = await writeBackup(app, file)
  const users = manifest.tables.find(({ name }) => name === 'users')
  const rows = execFileSync('tar', ['-xOf', file, 'tables/users.jsonl'], { encoding: 'utf8' })
  const [ann] = await allUsers(app.db)
  const created = Object.keys(users?.columns ?? {}).indexOf('created_at')
  expect(users?.columns).toMatchObject({
    id: 'integer',
    name: 'text',
    passkey_handle: 'bytes',
    created_at: 'time',
  })
  expect(JSON.parse(rows.split('\n')[0] ?? '')[created]).toBe(ann?.createdAt.toISOString())
  expect(manifest.migrations.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name))
  expect(readFileSync(file, 'latin1')).not.toMatch(
    new RegExp(`${testedDatabase}|[0-9a-f]{64}.*\\.sql`, 'i'),
  )
})

test('a backup is a snapshot of one moment, whatever is written meanwhile', async () => {
  const { app, file } = await withPhotos()
  const over = new AbortController()
  const write = async () => {
    for (let n = 0; !over.signal.aborted; n++)
      await addUser(app.db, { ...ann, email: `${n}@x.test`, emailKey: `${n}@x.test` })
  }
  const writing = write()
  const { manifest } = await writeBackup(app, file).finally(() => over.abort())
  await writing
  const place = await emptyPlace()
  await restoreTo(place, file)
  const names = await userNamesIn(place.database)
  expect(names).toHaveLength(accountsIn(manifest))
  expect((await allUsers(app.db)).length).toBeGreaterThanOrEqual(names.length)
})

test('a photo of the largest size, grown by a few bytes when stored, is backed up and restored', async () => {
  const { app, users, file } = await withPhotos()
  // Four bytes less than is stored, which ends with the offset of a next IFD.
  const exif = exifSegment(exifOf([[0x0112, 3, 1, 6]]).subarray(0, -4))
  const begun = Buffer.concat([jpegWith(jpeg(), exif), segmentOf(0xda, Buffer.alloc(10))])
  const photo = Buffer.concat([begun, Buffer.alloc(largestPhoto - begun.length)])
  const [ann] = users
  if (ann) await savePhoto(app, await logInAs(app, ann), judged(photo))
  const { manifest } = await writeBackup(app, file)
  await restoreTo({ ...(await emptyPlace()), files: app.files }, file)
  expect(Math.max(...manifest.files.map(({ size }) => size))).toBe(largestPhoto + 4)
})

/** Makes Ann's stored photo so many bytes long, and backs up and restores all. */
async function withPhotoOf(size: number) {
  const { app, file } = await withPhotos()
  const [{ photo } = { photo: null }] = await allUsers(app.db)
  const key = photo ?? ''
  const begun = png()
  const content = Buffer.concat([begun, Buffer.alloc(size - begun.length)])
  await app.files.put(key, { content, type: 'image/png' }, neverAborted)
  const { manifest } = await writeBackup(app, file)
  const place = await emptyPlace()
  const { missing } = await restoreTo(place, file)
  return { key, manifest, missing, place }
}

test('a photo from a time when larger ones could be uploaded is backed up and restored', async () => {
  const size = largestPhoto + 65
  const { key, manifest, missing, place } = await withPhotoOf(size)
  const restored = await place.files.open(key, neverAborted)
  expect([manifest.missing, missing, restored?.size]).toEqual([[], [], size])
})

test('a file that is larger than any photo is listed as missing, and the backup can be restored', async () => {
  const { key, manifest, missing } = await withPhotoOf(largestKept + 1)
  expect([manifest.missing, missing, sizesIn(manifest).photos]).toEqual([[key], [key], 1])
})

test('photos are backed up from a bucket and restored to a bucket', async () => {
  const s3 = await s3Server(() => new Date('2026-01-05T10:00:00Z'))
  const { app, file } = await withPhotos({ files: s3.settings })
  const kept = new Map(s3.files)
  const { manifest } = await writeBackup(app, file)
  s3.files.clear()
  await restoreTo({ ...(await emptyPlace()), files: app.files }, file)
  expect(sizesIn(manifest).photos).toBe(2)
  expect(s3.files).toEqual(kept)
})

test('a backup fails when the bucket fails, and leaves no file', async () => {
  const s3 = await s3Server(() => new Date('2026-01-05T10:00:00Z'))
  const { app, folder, file } = await withPhotos({ files: s3.settings })
  s3.answers.set('GET', (response) => response.writeHead(500).end())
  await expect(writeBackup(app, file)).rejects.toThrow('The bucket photos answered a GET with 500.')
  expect(readdirSync(folder)).toEqual([])
})

test('a backup without photos asks a failing bucket only for the first one', async () => {
  const s3 = await s3Server(() => new Date('2026-01-05T10:00:00Z'))
  const { app, users, file } = await withPhotos({ files: s3.settings })
  s3.answers.set('HEAD', (response) => response.writeHead(500).end())
  s3.requests.length = 0
  const { manifest, unread } = await writeBackup(app, file, { withoutPhotos: true })
  expect([accountsIn(manifest), manifest.missing.length]).toEqual([users.length, users.length])
  expect(unread?.message).toContain('The bucket photos answered a HEAD with 500.')
  expect(new Set(s3.requests).size).toBe(1)
})

/** Sends part of a file, then stalls. */
function half(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Length': 9 }).write('x')
}

test('a bucket that breaks off is reported, and a backup that a bucket stalls can be stopped', async () => {
  const s3 = await s3Server(() => new Date('2026-01-05T10:00:00Z'))
  const { app, folder, file } = await withPhotos({ files: s3.settings })
  const begun = Promise.withResolvers<void>()
  s3.answers.set('GET', (response) => {
    half(response)
    response.destroy()
  })
  await expect(writeBackup(app, file)).rejects.toThrow(
    /^The photo \S+ cannot be read\. The bucket photos did not answer a GET\. Nothing answers at .*\. Check AWS_ENDPOINT, .*\.$/,
  )
  s3.answers.set('GET', (response) => {
    half(response)
    begun.resolve()
  })
  const stop = new AbortController()
  const stalled = writeBackup(app, file, { signal: stop.signal })
  await begun.promise
  stop.abort(new Error('It was stopped.'))
  await expect(stalled).rejects.toThrow('It was stopped.')
  expect(readdirSync(folder)).toEqual([])
})

test('a photo that was deleted is listed as missing in the backup and in its restore', async () => {
  const { app, users, file } = await withPhotos()
  const [gone] = (await allUsers(app.db)).map(({ photo }) => photo ?? '')
  await app.files.delete(gone ?? '')
  const { manifest } = await writeBackup(app, file)
  const place = await emptyPlace()
  const { missing } = await restoreTo(place, file)
  expect(users).toHaveLength(2)
  expect([manifest.missing, missing]).toEqual([[gone], [gone]])
})

test('a photo that cannot be read is named in the error', async () => {
  const { app, file } = await withPhotos()
  const [key = ''] = (await allUsers(app.db)).map(({ photo }) => photo ?? '')
  const unread = (code: string) => ({
    ...app,
    files: {
      ...app.files,
      open: async () => {
        throw Object.assign(new Error(`${code}: it says`), { code })
      },
    },
  })
  await expect(writeBackup(unread('EACCES'), file)).rejects.toThrow(
    `The photo ${key} cannot be read: let this user read it. EACCES: it says`,
  )
  await expect(writeBackup(unread('EIO'), file)).rejects.toThrow(
    `The photo ${key} cannot be read. EIO: it says`,
  )
})

test('the key of a photo cannot lead out of the folder of photos', async () => {
  const { app, folder, file } = await withPhotos()
  writeFileSync(join(folder, 'secret'), 'a secret')
  const key = `../../${folder}/secret`
  await deleteUsers(app.db)
  await addUser(app.db)
  await setPhotoKey(app.db, key)
  const other = await addUser(app.db, { ...ann, email: 'b@x.test', emailKey: 'b@x.test' })
  await savePhoto(app, await logInAs(app, other), judged(png()))
  const { manifest } = await writeBackup(app, file)
  expect(manifest.missing).toEqual([key])
  expect(readFileSync(file, 'latin1')).not.toContain('a secret')
})

test('a backup replaces an existing file only when forced to', async () => {
  const { app, folder, file } = await withPhotos()
  writeFileSync(file, 'something else')
  await expect(writeBackup(app, file)).rejects.toThrow(
    `There is a file ${file} already: name another`,
  )
  expect(readFileSync(file, 'utf8')).toBe('something else')
  await writeBackup(app, file, { force: true })
  expect(statSync(file).size).toBeGreaterThan(10_000)
  expect(readdirSync(folder)).toEqual(['app.tar'])
})

test('a backup named by a link replaces the file that it leads to, and a link to no file is refused', async () => {
  const { app, folder, file } = await withPhotos()
  const [disk, target] = [join(folder, 'disk'), join(folder, 'disk/kept.tar')]
  mkdirSync(disk)
  symlinkSync('disk/kept.tar', file)
  await expect(writeBackup(app, file, { force: true })).rejects.toThrow(
    `${file} is a link to ${target}, which is not there: bring that back, such as by mounting its disk, or name another file.`,
  )
  writeFileSync(target, 'something else')
  await expect(writeBackup(app, file)).rejects.toThrow(`There is a file ${file} already`)
  const { size } = await writeBackup(app, file, { force: true })
  expect([readlinkSync(file), statSync(target).size]).toEqual(['disk/kept.tar', size])
  expect(readdirSync(folder, { recursive: true })).toEqual(['app.tar', 'disk', 'disk/kept.tar'])
})

test('a backup that is stopped, or has no folder, leaves nothing behind', async () => {
  const { app, folder, file } = await withPhotos()
  const stopped = new AbortController()
  const backup = writeBackup(app, file, { signal: stopped.signal })
  stopped.abort(new Error('It was stopped.'))
  await expect(backup).rejects.toThrow('It was stopped.')
  const nowhere = join(folder, 'nowhere/app.tar')
  await expect(writeBackup(app, nowhere)).rejects.toThrow(
    `There is no folder ${join(folder, 'nowhere')}: make it, or name a file elsewhere.`,
  )
  expect(readdirSync(folder)).toEqual([])
})

test('a damaged database is not backed up', async () => {
  const { app, folder, file } = await withPhotos()
  const place = await emptyPlace()
  await writeBackup(app, file)
  await restoreTo(place, file)
  await damageDatabase(place.database)
  const damaged = { ...app, config: { ...app.config, database: place.database } }
  await expect(writeBackup(damaged, join(folder, 'other.tar'))).rejects.toThrow(
    `The database ${addresses.nameOf(place.database)} is damaged, or another program's, so there is no backup`,
  )
  expect(readdirSync(folder)).toEqual(['app.tar'])
})

test('a database with orphaned rows is not backed up', async () => {
  const { app, users, folder, file } = await withPhotos()
  await app.db.transaction(async (tx) => {
    for (const user of users) await logins.insert(tx, loginOf(user, user.name))
  })
  await deleteUsersAlone(app.config.database)
  await expect(writeBackup(app, file)).rejects.toThrow(
    'A row of logins belongs to a row of users that is',
  )
  expect(readdirSync(folder)).toEqual([])
})

test('a backup never replaces the database, a device or a folder, even when forced to', async () => {
  const { app, folder } = await withPhotos()
  const own = addresses.filesOf(app.config.database)
  const linked = join(folder, 'linked')
  for (const path of own.filter((path) => existsSync(path)).slice(0, 1)) linkSync(path, linked)
  for (const path of existsSync(linked) ? [...own, linked] : own)
    await expect(writeBackup(app, path, { force: true }), path).rejects.toThrow(
      `${path} is the database's own: name another file.`,
    )
  rmSync(linked, { force: true })
  const device = join(folder, 'device')
  symlinkSync('/dev/null', device)
  for (const path of ['/dev/null', device])
    await expect(writeBackup(app, path, { force: true })).rejects.toThrow(
      `${path} is no file that could be replaced`,
    )
  rmSync(device)
  await expect(writeBackup(app, folder, { force: true })).rejects.toThrow(
    `${folder} is a folder: name a file in it, such as ${join(folder, 'app.tar')}.`,
  )
  expect((await allUsers(app.db)).map(({ name }) => name)).toEqual(['Ann', 'Bob'])
  expect(readdirSync(folder)).toEqual([])
})

test('a backup removes what a killed run left more than a day ago, and nothing else', async () => {
  const { app, folder, file } = await withPhotos()
  for (const name of ['app.tar.part-Old123', 'app.tar.part-keep', 'other.tar.part-Old123'])
    addLeftoverFolder(join(folder, name), 2)
  addLeftoverFolder(`${file}.part-New123`, 0.5)
  addLeftoverFolder(`${file}.part-drills`, 2, 'notes.txt')
  writeFileSync(`${file}.part-File12`, '')
  await writeBackup(app, file)
  expect(readdirSync(folder)).toEqual([
    'app.tar',
    'app.tar.part-File12',
    'app.tar.part-New123',
    'app.tar.part-drills',
    'app.tar.part-keep',
    'other.tar.part-Old123',
  ])
})
