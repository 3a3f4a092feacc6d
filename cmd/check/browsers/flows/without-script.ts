import { strict as assert } from 'node:assert'
import { appearance } from '#words/settings/appearance'
import { buttons } from '#words/buttons'
import { dashboard } from '#words/dashboard'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { home } from '#words/home'
import { labels } from '#words/labels'
import { layout } from '#words/layout'
import { login } from '#words/auth/login'
import { mailSent } from '#words/auth/mail-sent'
import { profile } from '#words/settings/profile'
import { paths } from '../../../../web/contract/paths.ts'
import { button, field, heading, link, opener, text } from '../xpaths.ts'
import type { Flow } from '../visit.ts'

export const registeringWithoutScript: Flow = {
  name: 'no JavaScript: register, verify, log in and out',
  withoutScript: true,
  async run(visit) {
    const { window, person, server } = visit
    const { name, email, password } = person
    await visit.goTo(paths.register)
    const nameAndEmail = { [labels.name]: name, [labels.email]: email }
    await visit.fillIn({
      ...nameAndEmail,
      [labels.password]: 'short',
      [labels.confirmPassword]: 'short',
    })
    await window.click(button(buttons.createAccount))
    await visit.sees(text(errorWords.passwordShort))
    assert.equal(await window.value(field(labels.email)), email)
    await visit.keepBoth('errors')
    await visit.fillIn({ [labels.password]: password, [labels.confirmPassword]: password })
    await window.click(button(buttons.createAccount))
    await visit.sees(heading(mailSent.heading))
    await window.load(await server.mailedLink(email))
    await visit.sees(text(flashWords.verified))
    await visit.keepBoth('dashboard')
    await window.click(opener(layout.account))
    await window.click(button(buttons.logOut))
    await visit.sees(text(flashWords.loggedOut))
    await window.back()
    await visit.sees(heading(login.heading))
    assert.deepEqual(await window.texts(text(email)), [])
    await visit.logIn('not hers at all')
    await visit.sees(text(errorWords.wrongLogin))
    await visit.keep('wrong')
    await visit.logIn()
    await visit.sees(heading(dashboard.heading(name)))
  },
}

export const changingWithoutScript: Flow = {
  name: 'no JavaScript: settings, and what else is a dialog',
  withoutScript: true,
  async run(visit) {
    const { window, person } = visit
    await visit.registerAndLogIn()
    await visit.goTo(paths['profile.edit'])
    await window.fill(field(labels.name), 'Ann Other')
    await window.click(button(buttons.save))
    await visit.sees(text(flashWords.profileSaved))
    await visit.keepBoth('profile')
    await visit.goTo(paths['appearance.edit'])
    await visit.sees(text(appearance.noScript))
    await visit.goTo(paths['security.edit'])
    await window.click(button(buttons.turnOnTwoFactor))
    await visit.sees("//*[@id='secret']")
    await visit.keepBoth('set-up')
    await visit.goTo(paths['profile.edit'])
    await window.click(opener(buttons.deleteAccount))
    await visit.sees(heading(profile.sure))
    await visit.keepBoth('delete')
    await window.fill(field(labels.password), person.password)
    await window.click(`//dialog${button(buttons.deleteAccount)}`)
    await visit.sees(heading(home.heading))
    await visit.sees(text(flashWords.accountDeleted))
    await window.click(link(buttons.logIn))
    await visit.sees(heading(login.heading))
  },
}
