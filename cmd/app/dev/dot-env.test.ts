import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDotEnv } from '../../../internal/base/settings/dot-env.ts'
import { temporaryFolder } from '../../../internal/testing/database/database.ts'
import { writeDotEnv } from './dot-env.ts'

test('an existing .env keeps its values and gets the missing APP_KEY and APP_DEBUG only once', () => {
  const file = join(temporaryFolder(), '.env')
  writeFileSync(file, 'DB_URL=sql://root@127.0.0.1/app\nAPP_URL=http://localhost:4000')
  writeDotEnv(file)
  const written = readFileSync(file, 'utf8')
  writeDotEnv(file)
  expect(readDotEnv(written)).toEqual({
    values: {
      DB_URL: 'sql://root@127.0.0.1/app',
      APP_URL: 'http://localhost:4000',
      APP_KEY: expect.stringMatching(/^base64:.{43}=$/),
      APP_DEBUG: 'true',
    },
    badLines: [],
  })
  expect(readFileSync(file, 'utf8')).toBe(written)
})
