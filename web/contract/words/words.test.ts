import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Word, wordsIn, wordsOf } from '../../../internal/testing/formats/words.ts'
import { defaultLanguage, languageNames } from '../languages.ts'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { registerPasskey } from '#words/auth/challenge'
import { resetPassword } from '#words/auth/recover'
import { tokens } from '#words/settings/tokens'

/** Texts that another language may share with English: names, and what is no word (`x` is only put into some). */
const untranslated = /^(?:Name|Code|Token|Passkeys?|System|name|email|x)$|^99\+|^curl /m

const otherLanguages = languageNames.filter((language) => language !== defaultLanguage)
const inEnglish = await wordsOf(defaultLanguage)

/** Texts that others rely on (contract: Words). */
// oxfmt-ignore
const fixedWords = {
  'labels.ts': ['Name', 'Email', 'Password', 'Confirm password', 'Current password', 'New password', 'Remember me for 30 days', 'Code', 'Recovery code'],
  'buttons.ts': ['Create account', 'Log in', 'Log in with a passkey', 'Use a passkey instead', 'Make your passkey', 'Use a passkey', 'Log out', 'Send reset link', 'Set password', 'Confirm', 'Resend verification email', 'Save', 'Upload photo', 'Remove photo', 'Delete account', 'Turn on two-factor login', 'Turn off two-factor login', 'Show my recovery codes', 'Make new recovery codes', 'Add a passkey', 'Remove', 'Log out of every other browser'],
  'settings/tokens.ts': ['Create token', 'Revoke'],
} as const

test('labels and buttons have the words that the contract fixes', () => {
  for (const [file, words] of Object.entries(fixedWords)) {
    const texts = inEnglish.filter(({ at }) => at.startsWith(file)).map(({ says }) => says)
    expect(texts).toEqual(expect.arrayContaining([...words]))
  }
})

test('messages have the words that the specification fixes', () => {
  expect(errorWords.lastWayIn).toMatch(/add a password or another passkey first/i)
  expect(flashWords.resetSent).toMatch(/if this email has an account.*reset link is on its way/i)
  expect(flashWords.linkExpired).toMatch(/expired.*another/i)
  expect(flashWords.registrationDone).toMatch(/has an account already/i)
  expect(resetPassword.lead).toMatch(/passkeys are lost/i)
  expect(flashWords.verified).toMatch(/email is verified/i)
  expect(registerPasskey.heading).toBe('Make your passkey')
  expect(tokens.expiries).toEqual({ 30: 'In 30 days', 365: 'In a year', never: 'Never' })
  expect(tokens.ability('*')).toMatch(/everything/i)
})

test('each language has the same files, words and parameters as English', async () => {
  const translations = await Promise.all(otherLanguages.map(wordsOf))
  expect(translations.map(shape)).toEqual(otherLanguages.map(() => shape(inEnglish)))
})

test('no word is empty', async () => {
  const words = (await Promise.all(languageNames.map(wordsOf))).flat()
  expect(words.filter(({ says }) => says.trim() === '')).toEqual([])
})

test('no word is left untranslated, except those that may be the same in both languages', async () => {
  const english = new Map(inEnglish.map(({ at, says }) => [at, says]))
  const translated = (await Promise.all(otherLanguages.map(wordsOf))).flat()
  expect(
    translated.filter(({ at, says }) => english.get(at) === says && !untranslated.test(says)),
    'Translate each of these, or add to `untranslated` above what is the same word there.',
  ).toEqual([])
})

test('a word that takes values which no test has is not passed over', () => {
  const words = { sold: ({ pets }: { pets: string[] }) => `${pets.join()} sold` }
  expect(() => wordsIn(words, 'pets.ts')).toThrow(/^pets\.ts sold can take none of .*: add one\.$/)
})

test('each language counts by its own plural rules', () => {
  const wrongCalls = languageNames.flatMap((language) =>
    globSync(`web/contract/words/${language}/**/*.ts`).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/\bplural\('([^']+)'/g)]
        .filter(([, counted]) => counted !== language)
        .map(([call]) => `${file} has ${call}`),
    ),
  )
  expect(wrongCalls, 'Name the language of the folder there.').toEqual([])
})

test('a value inserted into a mail is not listed as a word', () => {
  const words = { adopted: (pet: string) => ({ subject: 'A pet', facts: [['Pet', pet]] }) }
  const texts = wordsIn(words, 'mails.ts').map(({ says }) => says)
  expect(new Set(texts)).toEqual(new Set(['A pet', 'Pet']))
})

function shape(words: readonly Word[]): string[] {
  return words.map(({ at, takes }) => `${at} takes ${takes}`)
}
