import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { isSure } from './confirm.ts'

/** Types this at a terminal, and then leaves. */
async function typeAnswer(answer: string, isTTY = true) {
  const input = Object.assign(new PassThrough(), { isTTY })
  const output = new PassThrough()
  input.end(answer)
  const isConfirmed = await isSure('Delete it?', { input, output })
  output.end()
  return { isConfirmed, output: await text(output) }
}

test('only the word yes confirms, whatever its case and the spaces around it', async () => {
  expect((await typeAnswer('yes\n')).isConfirmed).toBe(true)
  expect((await typeAnswer(' YES \r\n')).isConfirmed).toBe(true)
  expect((await typeAnswer('y\n')).isConfirmed).toBe(false)
  expect((await typeAnswer('\n')).isConfirmed).toBe(false)
})

test('closing the prompt without an answer prints that nothing was done', async () => {
  const { isConfirmed, output } = await typeAnswer('')
  expect(isConfirmed).toBe(false)
  expect(output).toMatch(/Delete it\?\nType yes to go on: \nNothing was done\.\n$/)
})

test('without a terminal nothing is asked or confirmed, and the output suggests --yes', async () => {
  const { isConfirmed, output } = await typeAnswer('yes\n', false)
  expect(isConfirmed).toBe(false)
  expect(output).toContain('Add --yes')
  expect(output).not.toMatch(/Delete it|Type yes/)
})
