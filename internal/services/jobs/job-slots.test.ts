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

test('of four workers two at most run one kind of job, and three at most send mails', () => {
  expect(freeAfter(4, 'ResetMail')).toContain('ResetMail')
  expect(freeAfter(4, 'ResetMail', 'ResetMail')).not.toContain('ResetMail')
  expect(freeAfter(4, 'ResetMail', 'ResetMail')).toContain('VerifyMail')
  expect(freeAfter(4, 'ResetMail', 'ResetMail', 'VerifyMail')).toEqual(['prune-cache', ...pruning])
})

test('no more jobs run at once than there are workers, besides one database job', () => {
  const begun = ['ResetMail', 'ResetMail', 'prune-cache', 'prune-cache'] as const
  expect(freeAfter(4, ...begun)).toEqual(pruning)
  expect(freeAfter(4, ...begun, 'prune-jobs')).toEqual([])
})

test('a single worker takes any kind of job, and of two one is left to other resources', () => {
  expect(freeAfter(1)).toHaveLength(5)
  expect(freeAfter(1, 'ResetMail')).toEqual(pruning)
  expect(freeAfter(2, 'ResetMail')).toEqual(['prune-cache', ...pruning])
})

test('a kind of job that has had its turn comes last, and may begin again once it has ended', () => {
  const slots = new JobSlots(work, 1)
  slots.begin('VerifyMail')
  slots.end('VerifyMail')
  expect(slots.free).toEqual(['ResetMail', 'prune-cache', ...pruning, 'VerifyMail'])
})
