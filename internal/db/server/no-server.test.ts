import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { environment } from '../../base/settings/config.ts'

// An embedded database needs no server.
const onServer = test.runIf(addresses.setting === 'DB_URL')

onServer('without a database server every test fails and says so', async () => {
  const lines = (await outputOfTests('internal/db/cache.test.ts')).split('\n')
  const passed = lines.filter((line) => line.startsWith('ok '))
  const failed = lines.filter((line) => line.startsWith('not ok '))
  const reasons = lines.filter((line) => line.includes('set DB_URL to one, or run npm run test'))
  expect([passed, failed.length > 1, reasons.length]).toEqual([[], true, failed.length])
})

/** Returns what a file's tests say in a process without a server: one line each, with the reason of the failure. */
function outputOfTests(file: string): Promise<string> {
  const { PATH, NODE_OPTIONS } = environment()
  const words = [
    'run',
    '--config',
    'internal/testing/vitest.config.ts',
    '--reporter=tap-flat',
    file,
  ]
  const { promise, resolve } = Promise.withResolvers<string>()
  execFile(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...words],
    { env: { PATH, NODE_OPTIONS } },
    (_, stdout) => resolve(stdout),
  )
  return promise
}
