import { appName } from '../../../../web/contract/name.ts'
import {
  chmodSync,
  globSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { openDatabase } from '#db/driver'
import { users } from '#db/users'
import { databaseOf } from '#testing/address'
import { localFiles } from '../../../../internal/base/files/local.ts'
import { freePort } from '../../../../internal/base/program/free-port.ts'
import { png } from '../../../../internal/testing/formats/photos.ts'
import { addUser, ann } from '../../../../internal/testing/database/user-rows.ts'
import { settingOf, temporaryDatabase } from '../../../../internal/testing/database/database.ts'
import { writeBackup, withPhotos } from '../../../../internal/testing/database/backups.ts'
import {
  emptyFolder,
  otherUser,
  requiredSettings,
  run,
  serve,
} from '../../../../internal/testing/processes/executable.ts'
import { s3Server, settingsOfBucket } from '../../../../internal/testing/network/s3.ts'
import { maySmallDisk, smallDisk } from '../../../../internal/testing/processes/small-disk.ts'
import { addMigration } from '../../../../internal/testing/database/migration-rows.ts'
import { allUsers, deleteUsers } from '../../../../internal/testing/database/rows.ts'

test('a backup made beside a running server is restored only after the server is stopped', async () => {
  const settings = { ...(await requiredSettings()), QUEUE_WORKERS: '0', FILES_PATH: 'files' }
  const app = await serve({ settings })
  const place = { folder: app.folder, settings }
  const db = await openDatabase(app.database)
  await addUser(db)
  const backedUp = await run(['backup', 'app.tar'], place)
  await deleteUsers(db)
  await db.close()
  const refused = await run(['restore', 'app.tar'], place)
  await app.stop()
  const restored = await run(['restore', 'app.tar'], place)
  expect([backedUp.code, backedUp.stderr]).toEqual([0, ''])
  expect(backedUp.stdout).toMatch(/^Backed up to .*app\.tar in .*\n {2}database {2}1 account, /)
  expect(backedUp.stdout).toContain('APP_KEY is not in it.')
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr).toMatch(
    new RegExp(`^${appName}: Another process has the database .* open: stop the server`),
  )
  expect([restored.code, restored.stderr]).toEqual([0, ''])
  expect(restored.stdout).toContain(
    `1 account that had been deleted is back (ID 1): \`${appName} users delete <id>\` deletes one again.\n` +
      `Logins that were ended since the backup are good again: \`${appName} users logout <id>\` ends those of an account.\n`,
  )
  await serve({ folder: app.folder, settings })
  const reopened = await openDatabase(app.database)
  expect((await allUsers(reopened)).map(({ name }) => name)).toEqual(['Ann'])
  await reopened.close()
})

test('a database that a later version migrated is served and backed up with a warning, but not restored', async () => {
  const settings = { ...(await requiredSettings()), QUEUE_WORKERS: '0', FILES_PATH: 'files' }
  const { db, address } = await temporaryDatabase()
  await addMigration(db, '29991231235959_later\u001b[2J.sql', new Date())
  await db.close()
  const place = { folder: emptyFolder(), settings: { ...settings, ...settingOf(address) } }
  const app = await serve(place)
  // Escaped, since whoever wrote to the database must not drive the operator's terminal.
  const warning = String.raw`The database has 1 migration that this program does not know, up to 29991231235959_later\u001b[2J.sql.`
  await expect
    .poll(() => app.lines)
    .toContainEqual(
      expect.objectContaining({
        level: 'warn',
        message: warning,
        advice: 'Run the version that made them, or a later one.',
      }),
    )
  const backedUp = await run(['backup', 'later.tar'], place)
  await app.stop()
  const restored = await run(['restore', 'later.tar'], place)
  expect(backedUp.code).toBe(0)
  expect(backedUp.stderr).toBe(
    `${warning} Only the version that made them, or a later one, restores this backup.\n`,
  )
  expect(restored.code).toBe(1)
  expect(restored.stderr).toContain('restore it with the version that ran that, or a later one.')
})

test.runIf(process.getuid?.() === 0)(
  'files restored by root belong to the owner of the folder, who can then make a backup, at the lowest priority too',
  async () => {
    const { app, file } = await withPhotos()
    await writeBackup(app, file)
    const user = otherUser()
    const TMPDIR = user.own(emptyFolder())
    const settings = { ...(await requiredSettings()), FILES_PATH: 'kept/files', TMPDIR }
    const [empty, migrated] = [user.own(emptyFolder()), user.own(emptyFolder())]
    await run(['migrate'], { folder: migrated, settings, user })
    // Only root may raise a priority again.
    const nice = { ...user, executable: '/usr/bin/nice' }
    const backup = ['-n', '19', user.executable, 'backup', 'app.tar']
    for (const folder of [empty, migrated]) {
      const restored = await run(['restore', file], { folder, settings })
      const backedUp = await run(backup, { folder, settings, user: nice })
      expect([restored.stderr, restored.code]).toEqual(['', 0])
      expect([backedUp.stderr, backedUp.code]).toEqual(['', 0])
      expect(backedUp.stdout).toContain('2 photos')
      const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      const owners = names.map((name) => statSync(join(folder, name)))
      expect(new Set(owners.map(({ uid, gid }) => `${uid}:${gid}`))).toEqual(
        new Set([`${user.ids?.uid}:${user.ids?.gid}`]),
      )
    }
  },
)

test('backup and restore report one missing photo in the singular and two in the plural', async () => {
  const { db, address } = await temporaryDatabase()
  const settings = { ...(await requiredSettings()), FILES_PATH: 'files', ...settingOf(address) }
  const place = { folder: emptyFolder(), settings }
  const presentPhoto = `photos/${'c'.repeat(26)}.png`
  const { id } = await addUser(db)
  await db.transaction((tx) => users.setPhoto(tx, { id, photo: presentPhoto }))
  const photos = join(place.folder, 'files')
  await localFiles(photos).put(presentPhoto, {
    content: png(),
    type: 'image/png',
  })
  const addMissingPhoto = async (emailKey: string) => {
    const { id } = await addUser(db, { ...ann, email: emailKey, emailKey })
    const photo = `photos/${emailKey.repeat(26)}.png`
    await db.transaction((tx) => users.setPhoto(tx, { id, photo }))
  }
  await addMissingPhoto('a')
  const oneMissing = await run(['backup', 'one.tar'], place)
  await addMissingPhoto('b')
  const twoMissing = await run(['backup', 'two.tar'], place)
  await db.close()
  const first = await run(['restore', 'one.tar'], place)
  const second = await run(['restore', 'two.tar'], place)
  expect(oneMissing.stderr).toMatch(/^1 photo that accounts have could not be found in /)
  expect(twoMissing.stderr).toMatch(/^2 photos that accounts have could not be found in /)
  expect(first.stderr).toBe(
    `1 photo of an account is neither in the backup nor in the folder ${photos}, and shows as none. If its file is elsewhere, copy it there under the same name.\n`,
  )
  expect(second.stderr).toBe(
    `2 photos of accounts are neither in the backup nor in the folder ${photos}, and show as none. If their files are elsewhere, copy them there under the same names.\n`,
  )
})

test('backup fails and keeps an existing file when no photo is found, unless --without-photos is passed', async () => {
  const place = await restoreElsewhere()
  const { folder } = place
  const before = await run(['backup', 'app.tar'], place)
  const archive = readFileSync(join(folder, 'app.tar'))
  renameSync(join(folder, 'files'), join(folder, 'away'))
  const withoutPhotos = await run(['backup', 'app.tar', '--force'], place)
  const otherBackup = await run(['backup', 'other.tar'], place)
  expect([before.code, withoutPhotos.code, otherBackup.code]).toEqual([0, 1, 1])
  expect([withoutPhotos.stdout, withoutPhotos.stderr]).toEqual([
    '',
    `${appName}: None of the 2 photos that accounts have is in the folder ${join(folder, 'files')}, so there is no new backup: bring back the disk that they are on, or set FILES_PATH as the server has it. Where they are lost for good, add --without-photos.\n`,
  ])
  expect(readFileSync(join(folder, 'app.tar')).equals(archive)).toBe(true)
  expect(readdirSync(folder)).not.toContain('other.tar')
  const withOption = await run(['backup', 'other.tar', '--without-photos'], place)
  expect(withOption).toMatchObject({ code: 0, stdout: expect.stringContaining('0 photos') })
})

test('backup, restore and doctor report a photo folder without access, and restore replaces nothing', async () => {
  const { app, file } = await withPhotos()
  await writeBackup(app, file)
  const user = otherUser()
  const folder = user.own(emptyFolder())
  const TMPDIR = user.own(emptyFolder())
  const settings = { ...(await requiredSettings()), FILES_PATH: 'around/files', TMPDIR }
  const place = { folder, settings, user }
  await run(['restore', file], { folder, settings })
  await run(['backup', 'app.tar'], place)
  await run(['users', 'delete', '1', '--yes'], place)
  const around = join(folder, 'around')
  chmodSync(around, 0)
  onTestFinished(() => chmodSync(around, 0o700))
  const restored = await run(['restore', 'app.tar'], place)
  const backedUp = await run(['backup', 'other.tar'], place)
  const doctor = await run(['doctor'], place)
  const advice = `${join(around, 'files/photos')} cannot be looked into: let this user open it and the folders above it, or set FILES_PATH to another folder\\.`
  expect([restored.code, backedUp.code, doctor.code]).toEqual([1, 1, 1])
  expect(restored.stderr).toMatch(
    new RegExp(
      `^${appName}: The photo \\S+ cannot be put back\\. ${advice} Nothing was replaced\\.\n$`,
    ),
  )
  expect(backedUp.stderr).toMatch(
    new RegExp(`^${appName}: The photo \\S+ cannot be read\\. ${advice} To back up without`),
  )
  expect(doctor.stdout).toContain(
    `fail  photos: Photos cannot be kept properly. No file could be kept in ${join(around, 'files')}: let this user write there, `,
  )
  expect((await run(['users', 'list'], place)).stdout).toMatch(/^ID .*\n2 .*\n$/)
})

test('restore names a photo that its user may not read, and replaces nothing', async () => {
  const place = await restoreElsewhere()
  const user = otherUser()
  const TMPDIR = user.own(emptyFolder())
  const { folder, settings } = place
  await run(['backup', 'app.tar'], place)
  await run(['users', 'delete', '1', '--yes'], place)
  for (const path of ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })])
    user.own(join(folder, path))
  const [first = '', second = ''] = globSync(join(folder, 'files/photos/*'))
  chmodSync(first, 0)
  chmodSync(second, 0)
  const asUser = { folder, user, settings: { ...settings, TMPDIR } }
  const { code, stderr } = await run(['restore', 'app.tar'], asUser)
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `^${appName}: The photo (\\S+) cannot be put back: let this user read it\\. EACCES: permission denied, open '${folder}/files/\\1'\\. Nothing was replaced\\.\n$`,
      ),
    ),
  ])
  expect((await run(['users', 'list'], asUser)).stdout).toMatch(/^ID .*\n2 .*\n$/)
})

test.runIf(maySmallDisk)(
  'restore names the full disk that the photos do not fit on, and replaces nothing',
  async () => {
    const { folder, settings } = await restoreElsewhere()
    await run(['backup', 'app.tar'], { folder, settings })
    await run(['users', 'delete', '1', '--yes'], { folder, settings })
    const disk = smallDisk()
    disk.fill()
    const files = join(disk.folder, 'files')
    const fullPlace = { folder, settings: { ...settings, FILES_PATH: files } }
    const restored = await run(['restore', 'app.tar'], fullPlace)
    expect([restored.code, restored.stdout]).toEqual([1, ''])
    expect(restored.stderr).toMatch(
      new RegExp(
        `^${appName}: The photo \\S+ cannot be put back\\. No file could be kept in ${files}, whose disk is full: make room on it, or set FILES_PATH to another folder\\. Nothing was replaced\\.\n$`,
      ),
    )
    expect((await run(['users', 'list'], fullPlace)).stdout).toMatch(/^ID .*\n2 .*\n$/)
  },
)

test('backup fails when photos cannot be read and suggests --without-photos, which makes one without them', async () => {
  const place = await restoreElsewhere()
  const { folder } = place
  renameSync(join(folder, 'files'), join(folder, 'away'))
  writeFileSync(join(folder, 'files'), 'no folder')
  const refused = await run(['backup', 'app.tar'], place)
  const withOption = await run(['backup', 'app.tar', '--without-photos'], place)
  const reason =
    /The photo \S+ cannot be read\. .*files is no folder, and none can be made there: move away .*\./
      .source
  expect([refused.code, withOption.code]).toEqual([1, 0])
  expect(refused.stderr).toMatch(
    new RegExp(`^${appName}: ${reason} To back up without the photos, add --without-photos\\.\n$`),
  )
  expect(withOption.stdout).toMatch(/2 accounts,.*\n.*0 photos/)
  expect(withOption.stderr).toMatch(
    new RegExp(`^2 photos that accounts have are not in this backup\\. ${reason}\n$`),
  )
})

test('backup and restore report an unreachable bucket and the setting to check', async () => {
  const s3 = await s3Server(() => new Date())
  const { app, file } = await withPhotos()
  await writeBackup(app, file)
  const settings = { ...(await requiredSettings()), ...settingsOfBucket(s3) }
  const place = { folder: emptyFolder(), settings }
  await run(['restore', file], place)
  const port = await freePort()
  const unreachable = {
    ...place,
    settings: { ...settings, AWS_ENDPOINT: `http://127.0.0.1:${port}` },
  }
  const backedUp = await run(['backup', 'app.tar'], unreachable)
  const restored = await run(['restore', file], unreachable)
  const silenceMessage = (method: string) =>
    `The bucket ${s3.settings.bucket} did not answer a ${method}. Nothing answers at http://127.0.0.1:${port} (connect ECONNREFUSED 127.0.0.1:${port}). Check AWS_ENDPOINT, and whether a firewall blocks the connection.`
  expect([backedUp.code, restored.code]).toEqual([1, 1])
  expect(backedUp.stderr).toMatch(/: The photo \S+ cannot be read\. /)
  expect(backedUp.stderr).toContain(
    `. ${silenceMessage('HEAD')} To back up without the photos, add --without-photos.\n`,
  )
  expect(restored.stderr).toMatch(/: The photo \S+ cannot be put back\. /)
  expect(restored.stderr).toContain(`. ${silenceMessage('HEAD')} Nothing was replaced.\n`)
})

test('SIGINT stops a backup or a restore within ten seconds while a bucket does not answer', async () => {
  const s3 = await s3Server(() => new Date())
  const { app, file } = await withPhotos()
  await writeBackup(app, file)
  const settings = { ...(await requiredSettings()), ...settingsOfBucket(s3) }
  const place = { folder: emptyFolder(), settings }
  await run(['restore', file], place)
  const stopDuring = async (args: readonly string[], method: string) => {
    const { promise, resolve } = Promise.withResolvers<(signal: NodeJS.Signals) => void>()
    let signalledAt = 0
    s3.answers.set(method, async () => {
      signalledAt = performance.now()
      const send = await promise
      send('SIGINT')
    })
    const { code, stderr } = await run(args, { ...place, started: resolve })
    s3.answers.clear()
    // Milliseconds: less than a bucket is waited for.
    return [code, stderr, performance.now() - signalledAt < 10_000]
  }
  const expected = [1, `${appName}: It was stopped by SIGINT; nothing was replaced.\n`, true]
  expect(await stopDuring(['backup', 'app.tar'], 'HEAD')).toEqual(expected)
  expect(await stopDuring(['restore', file], 'HEAD')).toEqual(expected)
  s3.files.clear()
  expect(await stopDuring(['restore', file], 'PUT')).toEqual(expected)
})

test('backup counts a file that is not a photo as missing, and replaces no backup when no photo is left', async () => {
  const place = await restoreElsewhere()
  const { folder } = place
  const [first = '', second = ''] = globSync(join(folder, 'files/photos/*'))
  writeFileSync(first, '<h1>Try again</h1>')
  const withoutOnePhoto = await run(['backup', 'app.tar'], place)
  const archive = readFileSync(join(folder, 'app.tar'))
  writeFileSync(second, '')
  const withoutAnyPhoto = await run(['backup', 'app.tar', '--force'], place)
  expect([withoutOnePhoto.code, withoutAnyPhoto.code]).toEqual([0, 1])
  expect(withoutOnePhoto.stderr).toMatch(
    /^1 photo that accounts have could not be found in .*, or what is there is no photo\. /,
  )
  expect(withoutAnyPhoto.stderr).toContain(
    'None of the 2 photos that accounts have is in the folder ',
  )
  expect(readFileSync(join(folder, 'app.tar')).equals(archive)).toBe(true)
})

test('backup and restore report a missing database, archive or file path, and create no files', async () => {
  const folder = emptyFolder()
  const settings = await requiredSettings()
  const [noDatabase, dash, missing] = await Promise.all([
    run(['backup', 'app.tar'], { folder, settings }),
    run(['backup', '-'], { folder, settings }),
    run(['restore', 'app.tar'], { folder, settings }),
  ])
  expect([noDatabase.code, dash.code, missing.code]).toEqual([1, 2, 1])
  expect(noDatabase.stderr).toContain(
    `There is no database ${addresses.nameOf(await databaseOf(folder))}`,
  )
  expect(dash.stderr).toContain('Give the path of a file.')
  expect(missing.stderr).toContain(`There is no file ${join(folder, 'app.tar')}.`)
  expect(readdirSync(folder)).toEqual([])
})

/** Creates a folder with a database of two accounts, and their photos in `files`. */
async function restoreElsewhere() {
  const { app, file } = await withPhotos()
  await writeBackup(app, file)
  const place = {
    folder: emptyFolder(),
    settings: { ...(await requiredSettings()), FILES_PATH: 'files' },
  }
  await run(['restore', file], place)
  return place
}
