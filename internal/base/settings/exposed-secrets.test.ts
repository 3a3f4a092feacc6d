import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/database/database.ts'
import { exposedSecrets } from './exposed-secrets.ts'

/** Returns the messages about a folder with a .env and a key's file of these modes. */
function exposedIn(text: string, modes: { dotEnv?: number; file?: number } = {}) {
  const folder = temporaryFolder()
  const [dotEnv, file] = [join(folder, '.env'), join(folder, 'key')]
  writeFileSync(dotEnv, text)
  writeFileSync(file, 'a key')
  chmodSync(dotEnv, modes.dotEnv ?? 0o600)
  chmodSync(file, modes.file ?? 0o600)
  const exposed = exposedSecrets({}, folder)
  return { dotEnv: exposed.dotEnv?.message, files: exposed.files.map(({ message }) => message) }
}

test('a .env with a secret is reported when other users may read or change it', () => {
  const well = { dotEnv: undefined, files: [] }
  expect(exposedIn('APP_KEY=x', { dotEnv: 0o600 })).toEqual(well)
  expect(exposedIn('PORT=80\nAPP_KEY=\n#MAIL_PASSWORD=x', { dotEnv: 0o644 })).toEqual(well)
  expect(exposedIn('MAIL_PASSWORD=x', { dotEnv: 0o604 }).dotEnv).toContain('(mode 604)')
  expect(exposedIn('APP_PREVIOUS_KEYS=x', { dotEnv: 0o602 }).dotEnv).toContain('and holds secrets.')
})

test('the file of a secret is reported with its setting when other users may read it', () => {
  expect(exposedIn('APP_KEY_FILE=key', { file: 0o444 })).toEqual({
    dotEnv: undefined,
    files: [expect.stringMatching(/key is open .* \(mode 444\), and holds APP_KEY\.$/)],
  })
  expect(exposedIn('APP_KEY_FILE=key', { file: 0o400 }).files).toEqual([])
  expect(exposedIn('APP_KEY_FILE=none').files).toEqual([])
})

test('the suggested command protects a .env in a folder with a quote, spaces and $ in its name', () => {
  const folder = join(temporaryFolder(), "Ann's $HOME; app")
  mkdirSync(folder)
  const dotEnv = join(folder, '.env')
  writeFileSync(dotEnv, 'APP_KEY=x')
  chmodSync(dotEnv, 0o644)
  const { advice = '' } = exposedSecrets({}, folder).dotEnv ?? {}
  execFileSync('sh', ['-c', advice])
  expect(statSync(dotEnv).mode & 0o007).toBe(0)
})
