import { expect, test } from 'vitest'
import type { JobName, Work } from './job-names.ts'
import { JobSlots } from './job-slots.ts'

const run = async () => {}
const work: Partial<Work> = {
  VerifyMail: { resource: 'mail', run },
  ResetMail: { resource: 'mail', run },
  'prune-cache': { resource: 'files', run },
  'prune-jobs': { resource: 'database', run },
  'prune-logins': { resource: 'database', run },
}

/** Returns the kinds that may begin when these have begun and none has ended. */
function freeAfter(atOnce: number, ...begun: JobName[]): JobName[] {
  const slots = new JobSlots(work, atOnce)
  for (const name of begun) slots.begin(name)
  return slots.free
}

const pruning = ['prune-jobs', 'prune-logins']

test('of four workers a kind has two at most, and all mails together three', () => {
  expect(freeAfter(4, 'ResetMail')).toContain('ResetMail')
  expect(freeAfter(4, 'ResetMail', 'ResetMail')).not.toContain('ResetMail')
  expect(freeAfter(4, 'ResetMail', 'ResetMail')).toContain('VerifyMail')
  expect(freeAfter(4, 'ResetMail', 'ResetMail', 'VerifyMail')).toEqual(['prune-cache', ...pruning])
})

test('no more jobs run at once than there are workers, beside one of the database', () => {
  const begun = ['ResetMail', 'ResetMail', 'prune-cache', 'prune-cache'] as const
  expect(freeAfter(4, ...begun)).toEqual(pruning)
  expect(freeAfter(4, ...begun, 'prune-jobs')).toEqual([])
})

test('a single worker takes any kind, and two leave one to the others', () => {
  expect(freeAfter(1)).toHaveLength(5)
  expect(freeAfter(1, 'ResetMail')).toEqual(pruning)
  expect(freeAfter(2, 'ResetMail')).toEqual(['prune-cache', ...pruning])
})

test('a kind whose turn it was comes last, and one that ended may begin again', () => {
  const slots = new JobSlots(work, 1)
  slots.begin('VerifyMail')
  slots.end('VerifyMail')
  expect(slots.free).toEqual(['ResetMail', 'prune-cache', ...pruning, 'VerifyMail'])
})
