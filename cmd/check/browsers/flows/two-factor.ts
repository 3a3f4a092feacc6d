import { strict as assert } from 'node:assert'
import { buttons } from '#words/buttons'
import { challenge } from '#words/auth/challenge'
import { dashboard } from '#words/dashboard'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { home } from '#words/home'
import { labels } from '#words/labels'
import { layout } from '#words/layout'
import { twoFactor } from '#words/settings/two-factor'
import { codeAt, wrongCodeAt } from '../../../../internal/testing/totp.ts'
import { paths } from '../../../../web/contract/paths.ts'
import { button, dialog, field, heading, opener, text } from '../xpaths.ts'
import type { Flow, Visit } from '../visit.ts'

export const provingTwice: Flow = {
  name: 'two-factor login',
  async run(visit) {
    const { window, person } = visit
    await visit.registerAndLogIn()
    await visit.goTo(paths['security.edit'])
    const { secret, recoveryCode } = await turnOn(visit)
    await logOut(visit)
    await visit.goTo(paths.login)
    await visit.logIn()
    await visit.sees(heading(challenge.heading))
    await visit.hasFocus('code')
    await visit.keepBoth('challenge')
    // The code of the next half minute: each counts once, and the current one may have been used.
    await window.fill(field(labels.code), codeAt(secret, new Date(Date.now() + 30_000)))
    await visit.sees(heading(dashboard.heading(person.name)))
    await logOut(visit)
    await visit.goTo(paths.login)
    await visit.logIn()
    await window.click(opener(challenge.recovery))
    await visit.hasFocus('recovery_code')
    await visit.keep('recovery-code')
    await window.fill(field(labels.recoveryCode), recoveryCode)
    await window.press('Enter')
    await visit.sees(heading(dashboard.heading(person.name)))
    await turnOff(visit)
  },
}

async function turnOn(visit: Visit): Promise<{ secret: string; recoveryCode: string }> {
  const { window } = visit
  await window.click(button(buttons.turnOnTwoFactor))
  await visit.sees("//*[@id='secret']")
  const secret = await window.evaluate<string>('document.getElementById("secret").dataset.text')
  await visit.keepBoth('set-up')
  // Submitted with the sixth digit.
  await window.fill(field(labels.code), wrongCodeAt(secret, new Date()))
  await visit.sees(text(errorWords.wrongCode))
  await visit.hasFocus('code')
  await window.fill(field(labels.code), codeAt(secret, new Date()))
  await visit.sees(text(flashWords.twoFactorOn))
  const codes = await window.texts("//*[@id='recovery-codes']/li")
  assert.equal(codes.length, 8)
  await visit.keepBoth('recovery-codes')
  await window.click(button(twoFactor.saved))
  await visit.sees(text(flashWords.recoveryCodesSaved))
  return { secret, recoveryCode: codes[0] ?? '' }
}

async function logOut(visit: Visit): Promise<void> {
  await visit.window.click(opener(layout.account))
  await visit.window.click(button(buttons.logOut))
  await visit.sees(heading(home.heading))
}

async function turnOff(visit: Visit): Promise<void> {
  const { window } = visit
  await visit.goTo(paths['security.edit'])
  await window.click(button(buttons.turnOffTwoFactor))
  const inDialog = dialog(twoFactor.sure)
  await visit.sees(inDialog())
  await visit.keep('turn-off')
  await window.click(inDialog(button(buttons.turnOffTwoFactor)))
  await visit.sees(text(flashWords.twoFactorOff))
}
