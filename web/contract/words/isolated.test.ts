import { expect, test } from 'vitest'
import { registerPasskey } from './en/auth/challenge.ts'
import { dashboard } from './en/dashboard.ts'
import { lines } from './en/lines.ts'
import { passkeys } from './en/settings/passkeys.ts'
import { profile } from './en/settings/profile.ts'
import { tokens } from './en/settings/tokens.ts'
import { twoFactor } from './en/settings/two-factor.ts'
import { registerPasskey as registerPasskeyDe } from './de/auth/challenge.ts'
import { dashboard as dashboardDe } from './de/dashboard.ts'
import { lines as linesDe } from './de/lines.ts'
import { passkeys as passkeysDe } from './de/settings/passkeys.ts'
import { profile as profileDe } from './de/settings/profile.ts'
import { tokens as tokensDe } from './de/settings/tokens.ts'
import { twoFactor as twoFactorDe } from './de/settings/two-factor.ts'

const rightToLeftText = 'שרה!'

test('text typed by a user is isolated in each sentence when it is written right to left', () => {
  const sentences = [
    ...[dashboard, dashboardDe].map(({ heading }) => heading(rightToLeftText)),
    ...[registerPasskey, registerPasskeyDe].map(({ lead }) => lead(rightToLeftText)),
    ...[passkeys, passkeysDe].map(({ remove }) => remove(rightToLeftText)),
    ...[tokens, tokensDe].map(({ sure }) => sure(rightToLeftText)),
    ...[twoFactor, twoFactorDe].map(({ of }) => of(rightToLeftText)),
    ...[profile, profileDe].flatMap((words) => [
      words.verified(rightToLeftText),
      words.notVerified(rightToLeftText),
    ]),
    ...[lines, linesDe].flatMap((words) => [
      words['email-changed']({ email: rightToLeftText }),
      words['passkey-added']({ name: rightToLeftText }),
      words['token-created']({ name: rightToLeftText }),
    ]),
  ]
  expect(
    sentences.filter((sentence) => !sentence.includes(`\u2068${rightToLeftText}\u2069`)),
  ).toEqual([])
})

test('text written left to right is inserted unchanged, so that it can be copied', () => {
  const names = ['Ann', 'Zoë', 'Никита', '山田', 'C++ (2)!', 'ann@x.test']
  expect(names.filter((name) => tokens.sure(name) !== `Revoke ${name}?`)).toEqual([])
})
