import { buttons } from '#words/buttons'
import { registerPasskey } from '#words/auth/challenge'
import { dashboard } from '#words/dashboard'
import { flashWords } from '#words/flash'
import { home } from '#words/home'
import { labels } from '#words/labels'
import { layout } from '#words/layout'
import { login } from '#words/auth/login'
import { mailSent } from '#words/auth/mail-sent'
import { passkeys } from '#words/settings/passkeys'
import { confirmPassword } from '#words/auth/recover'
import { security } from '#words/settings/security'
import { paths } from '../../../../web/contract/paths.ts'
import { button, dialog, field, heading, inRow, opener, text } from '../xpaths.ts'
import type { Flow } from '../visit.ts'

export const usingPasskeys: Flow = {
  name: 'passkeys: add, log in, confirm, rename',
  passkeys: true,
  async run(visit) {
    const { window, person } = visit
    await visit.registerAndLogIn()
    await window.givePasskeys()
    await visit.goTo(paths['security.edit'])
    await window.fill(field(passkeys.name), 'Work laptop')
    await window.click(button(buttons.addPasskey))
    await visit.sees(text(flashWords.passkeyAdded))
    await visit.sees(inRow('Work laptop', ''))
    await visit.keepBoth('added')
    await window.click(opener(layout.account))
    await window.click(button(buttons.logOut))
    await visit.sees(heading(home.heading))
    await visit.goTo(paths.login)
    await visit.keepBoth('login')
    await window.click(button(buttons.logInPasskey))
    await visit.sees(heading(dashboard.heading(person.name)))
    await visit.goTo(paths['password.confirm'])
    await visit.sees(heading(confirmPassword.heading))
    await window.click(button(buttons.usePasskey))
    await visit.sees(heading(dashboard.heading(person.name)))
    await visit.goTo(paths['security.edit'])
    await window.click(inRow('Work laptop', `//button[contains(., '${passkeys.rename}')]`))
    const renaming = dialog(passkeys.renameHeading)
    await window.fill(renaming(field(labels.name)), 'Home')
    await window.click(renaming(button(buttons.save)))
    await visit.sees(text(flashWords.passkeyRenamed))
    await visit.sees(inRow('Home', ''))
  },
}

export const registeringPasskey: Flow = {
  name: 'passkeys: register with one',
  passkeys: true,
  async run(visit) {
    const { window, person, server } = visit
    await window.givePasskeys()
    await visit.goTo(paths.register)
    await visit.fillIn({ [labels.name]: person.name, [labels.email]: person.email })
    await window.click(button(buttons.usePasskeyInstead))
    await visit.sees(heading(mailSent.heading))
    await window.load(await server.mailedLink(person.email))
    await visit.hasStarted()
    await visit.sees(text(registerPasskey.about))
    await visit.keepBoth('make')
    await window.click(button(buttons.makePasskey))
    await visit.sees(heading(dashboard.heading(person.name)))
    await visit.goTo(paths['security.edit'])
    await visit.sees(heading(security.set))
  },
}

export const lackingPasskeys: Flow = {
  name: 'no passkeys: none is offered',
  passkeys: false,
  async run(visit) {
    await visit.goTo(paths.login)
    await visit.sees(heading(login.heading))
    await visit.misses(button(buttons.logInPasskey))
    await visit.registerAndLogIn()
    await visit.goTo(paths['security.edit'])
    await visit.sees(text(passkeys.unable))
    await visit.misses(button(buttons.addPasskey))
  },
}
