import { expect, test } from 'vitest'
import { unusedAddress } from '../../testing/database.ts'
import { addressAside, nameIn } from '../../testing/mysql/address.ts'
import { scriptIn } from '../../testing/mysql/script.ts'
import { holding } from '../../testing/snapshots.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** What the names of databases have after that of this one, of those that begin with it. */
async function besides(address: DatabaseAddress): Promise<string[]> {
  const connection = await Connection.open(serverOf(address))
  const own = nameIn(address)
  const found = await connection.rows('SHOW DATABASES')
  await connection.end()
  const names = found.map(([name]) => String(name)).filter((name) => name.startsWith(own))
  return names.map((name) => name.slice(own.length)).filter((rest) => rest !== '')
}

test('a restore clears away what one that was killed has left, and no other database', async () => {
  const address = await unusedAddress()
  const made = '20261121120000123'
  const others = ['drill', '20261121', `${made}0`, `${made.slice(1)}x`].flatMap((end) => [
    `_restore_${end}`,
    `_restoring_${end}`,
  ])
  const more = [`_before_restore_${made}`, `_RESTORING_${made}`]
  const foreign = [...others, ...more]
  const all = [...foreign, `_restoring_${made}`]
  await scriptIn(address, ...all.map((rest) => `CREATE DATABASE ${nameIn(address)}${rest}`))
  expect((await besides(address)).toSorted()).toEqual(all.toSorted())
  await holding(address, async () => {})
  expect((await besides(address)).toSorted()).toEqual(foreign.toSorted())
})

test('what another database has kept aside is no left-over of one with its name', async () => {
  const address = await unusedAddress()
  const aside = `${nameIn(address)}_before_restore_20261121120000123`
  const before = `${nameIn(address)}_before`
  await scriptIn(address, `CREATE DATABASE ${aside}`, `CREATE DATABASE ${before}`)
  await holding(addressAside(address, before), async () => {})
  expect(await besides(address)).toEqual(['_before', '_before_restore_20261121120000123'])
})
