import { expect, onTestFinished, test } from 'vitest'
import { temporaryDatabase } from '../../../testing/database/database.ts'
import { serverOf } from '../address.ts'
import { Connection } from '../connection.ts'
import { holderReport } from './holders.ts'

test('the connection that holds a table lock is named even while another transaction writes binary data', async () => {
  const { address } = await temporaryDatabase()
  const url = serverOf(address)
  const open = async () => {
    const connection = await Connection.open(url)
    onTestFinished(() => connection.end())
    const [[id] = []] = await connection.rows('SELECT CONNECTION_ID()')
    return { connection, id }
  }
  const [holder, waiter, writer] = [await open(), await open(), await open()]
  await holder.connection.script('START TRANSACTION')
  await holder.connection.script('SELECT 1 FROM users')
  const locked = waiter.connection.script('LOCK TABLES users WRITE')
  const stateOf = async (connectionId: unknown) => {
    const processes = await holder.connection.rows('SHOW PROCESSLIST')
    const [, , , , , , state] = processes.find(([id]) => id === connectionId) ?? []
    return state
  }
  await expect.poll(() => stateOf(waiter.id)).toBe('Waiting for table metadata lock')
  await writer.connection.script('START TRANSACTION')
  await writer.connection.script('SELECT 1 FROM jobs')
  let isWritten = false
  const written = writer.connection
    .ask('SELECT SLEEP(0.8), ?', [Buffer.of(255, 254, 128)])
    .then(() => (isWritten = true))
  const isBegun = async () => isWritten || (await stateOf(writer.id)) === 'User sleep'
  await expect.poll(isBegun, { interval: 5 }).toBe(true)
  // The server refreshes its list of transactions every tenth of a second.
  await holder.connection.script('DO SLEEP(0.2)')
  const advice = await holderReport(url, () => {}).adviceFor(waiter.id)
  expect(advice).toContain(`(KILL ${String(holder.id)})`)
  await written
  await holder.connection.script('ROLLBACK')
  await locked
})
