import { strict as assert } from 'node:assert'
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
import { register } from '#words/auth/register'
import { paths } from '../../../../web/contract/paths.ts'
import { button, field, heading, link, opener, text } from '../xpaths.ts'
import type { Flow, Visit } from '../visit.ts'

export const registering: Flow = {
  name: 'register and verify',
  async run(visit) {
    const { window, person, server } = visit
    await visit.goTo(paths.home)
    await visit.keepBoth('home')
    await window.click(link(buttons.createAccount))
    await visit.sees(heading(register.heading))
    const invalidFields = { [labels.name]: person.name, [labels.email]: 'no email' }
    await visit.fillIn({ ...invalidFields, [labels.password]: 'short' })
    // Shown when the field is left; the button moves for it.
    await visit.sees(text(errorWords.email))
    await window.click(button(buttons.createAccount))
    await visit.sees(text(errorWords.passwordShort))
    await visit.hasFocus('email')
    await visit.keepBoth('errors')
    const { email, password } = person
    const validFields = { [labels.email]: email, [labels.password]: password }
    await visit.fillIn({ ...validFields, [labels.confirmPassword]: password })
    // The button moves when the errors disappear.
    await visit.misses(text(errorWords.passwordShort))
    await window.click(button(buttons.createAccount))
    await visit.sees(heading(mailSent.heading))
    await visit.keepBoth('mail-sent')
    const secondWindow = await visit.openWindow()
    await secondWindow.window.load(await server.mailedLink(email))
    // The first window learns of it, and moves on.
    for (const each of [secondWindow, visit])
      await each.sees(heading(dashboard.heading(person.name)))
    await secondWindow.keepBoth('dashboard')
  },
}

export const loggingIn: Flow = {
  name: 'log in',
  async run(visit) {
    const { window, person, server } = visit
    await server.register(person)
    // A guest returns to the requested page.
    await visit.goTo(`${paths['profile.edit']}?from=mail`)
    await visit.keepBoth('login')
    await visit.logIn('not hers at all')
    await visit.sees(text(errorWords.wrongLogin))
    await visit.hasFocus('password')
    assert.equal(await window.value(field(labels.email)), person.email)
    assert.equal(await window.value(field(labels.password)), '')
    await window.fill(field(labels.password), person.password)
    await window.click(button(labels.showPassword))
    await visit.finds('document.getElementById("password").type === "text"')
    await visit.keep('wrong')
    await window.click(field(labels.remember))
    await window.click(button(buttons.logIn))
    await visit.sees(heading(profile.heading))
    await visit.isAt(`${paths['profile.edit']}?from=mail`)
    await window.click(opener(layout.account))
    await visit.keep('menu')
    await window.press('Escape')
    await visit.misses(button(buttons.logOut))
  },
}

export const loggingOut: Flow = {
  name: 'log out, which clears the history',
  async run(visit) {
    const { window } = visit
    await visit.registerAndLogIn()
    await window.click(link(dashboard.profile))
    await visit.sees(heading(profile.heading))
    const secondWindow = await visit.openWindow()
    await secondWindow.goTo(paths.dashboard)
    await secondWindow.window.click(opener(layout.account))
    await secondWindow.window.click(button(buttons.logOut))
    await secondWindow.sees(heading(home.heading))
    await secondWindow.sees(text(flashWords.loggedOut))
    await secondWindow.keep('logged-out')
    await visit.sees(heading(login.heading))
    for (const each of [secondWindow, visit]) await hasNothingPrivateBehind(each)
  },
}

/** Checks that neither a page kept whole by the browser nor one kept by the client is left. */
async function hasNothingPrivateBehind(visit: Visit): Promise<void> {
  const { window, person } = visit
  await window.back()
  assert.deepEqual(await window.texts(text(person.email)), [])
  await visit.sees(heading(login.heading))
  assert.deepEqual(await window.texts(text(person.email)), [])
  assert.equal(await window.evaluate(`document.body.innerHTML.includes('${person.email}')`), false)
}
