import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { appName } from '../../../../web/contract/name.ts'
import { addUser } from '../../../../internal/testing/database/user-rows.ts'
import {
  noon,
  settingOf,
  temporaryDatabase,
} from '../../../../internal/testing/database/database.ts'
import {
  emptyFolder,
  requiredSettings,
  run,
} from '../../../../internal/testing/processes/executable.ts'
import { addFailedJob } from '../../../../internal/testing/database/rows.ts'
import { startSmtp } from '../../../../internal/testing/network/smtp.ts'

/** Every command that succeeds here, `restore` last. */
const commands = [
  'help',
  'help settings',
  'help users show',
  'users --help',
  'version',
  '--version',
  'licenses',
  'migrate',
  'jobs',
  'jobs --json',
  'users list',
  'users list --json',
  'users show 1',
  'users reset-link 1',
  'users logout 1',
  'users disable-two-factor 1',
  'mail test ann@x.test',
  'jobs retry all',
  'doctor',
  'backup a.tar --force',
  'restore a.tar',
]

type WriteFault = 'disk is full' | 'reader has left'

/** Runs all commands, one after another, on a database with an account and a failed job. */
async function runAll(writeFault: WriteFault) {
  const { db, address } = await temporaryDatabase()
  const { id } = await addUser(db)
  await addFailedJob(db, { name: 'VerifyMail', error: '550 no', tries: 10, at: noon })
  await db.close()
  const { port } = await startSmtp()
  const mail = { MAIL_HOST: '127.0.0.1', MAIL_PORT: `${port}`, MAIL_FROM_ADDRESS: 'app@x.test' }
  const settings = { ...(await requiredSettings()), ...mail, ...settingOf(address) }
  const place = { folder: emptyFolder(), settings, brokenStdout: writeFault }
  const results = new Map<string, { code: number | null; stderr: string }>()
  for (const command of commands) {
    const { code, stderr } = await run(command.replace('1', `${id}`).split(' '), place)
    results.set(command, { code, stderr })
  }
  return [...results]
}

test('no command fails when the reader of its output has closed the pipe', async () => {
  const results = await runAll('reader has left')
  expect(results.filter(([, { code }]) => code !== 0)).toEqual([])
  expect(results.filter(([, { stderr }]) => /Error|\bat /.test(stderr))).toEqual([])
})

test.skipIf(!existsSync('/dev/full'))(
  'a command that cannot write its output to a full disk says so in a sentence and exits with code 1',
  async () => {
    const results = await runAll('disk is full')
    const sentence = new RegExp(`^${appName}: .* could not be written: ENOSPC: .*\\.$`, 'm')
    expect(results.filter(([, { code }]) => code !== 1)).toEqual([])
    expect(results.filter(([, { stderr }]) => !sentence.test(stderr))).toEqual([])
    expect(results.filter(([, { stderr }]) => /\n +at /.test(stderr))).toEqual([])
  },
)
