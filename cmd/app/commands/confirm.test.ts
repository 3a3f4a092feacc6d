import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { isSure } from './confirm.ts'

/** Types this at a terminal, and then leaves. */
async function typing(typed: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(typed)
  const sure = await isSure('Delete it?', { input, output })
  output.end()
  return { sure, output: await text(output) }
}

test('only the word yes confirms, whatever its case and the spaces around it', async () => {
  expect((await typing('yes\n')).sure).toBe(true)
  expect((await typing(' YES \r\n')).sure).toBe(true)
  expect((await typing('y\n')).sure).toBe(false)
  expect((await typing('\n')).sure).toBe(false)
})

test('closing the prompt without an answer prints that nothing was done', async () => {
  const { sure, output } = await typing('')
  expect(sure).toBe(false)
  expect(output).toMatch(/Delete it\?\nType yes to go on: \nNothing was done\.\n$/)
})

test('without a terminal nothing is asked or confirmed, and the output suggests --yes', async () => {
  const { sure, output } = await typing('yes\n', false)
  expect(sure).toBe(false)
  expect(output).toContain('Add --yes')
  expect(output).not.toMatch(/Delete it|Type yes/)
})
