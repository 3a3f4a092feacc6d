import { strict as assert } from 'node:assert'
import { brandName } from '../../../../web/brand/brand.ts'
import { buttons } from '#words/buttons'
import { dashboard } from '#words/dashboard'
import { home } from '#words/home'
import { labels } from '#words/labels'
import { layout } from '#words/layout'
import { login } from '#words/auth/login'
import { notifications } from '#words/notifications'
import { register } from '#words/auth/register'
import { security } from '#words/settings/security'
import { settings } from '#words/settings/settings'
import { tokens } from '#words/settings/tokens'
import { paths } from '../../../../web/contract/paths.ts'
import { field, heading, link, text } from '../xpaths.ts'
import type { Flow } from '../visit.ts'

export const ringing: Flow = {
  name: 'live bell in two windows',
  async run(visit) {
    const { person, server } = visit
    await visit.registerAndLogIn()
    await visit.goTo(paths['notifications.index'])
    await visit.sees(heading(notifications.heading))
    await visit.goTo(paths.dashboard)
    const secondWindow = await visit.openWindow()
    await secondWindow.goTo(paths.dashboard)
    for (const each of [visit, secondWindow]) await each.misses(bellCount(1))
    await server.logIn(person)
    for (const each of [visit, secondWindow]) await each.sees(bellCount(1))
    await server.logIn(person)
    for (const each of [visit, secondWindow]) await each.sees(bellCount(2))
    await secondWindow.keepBoth('bell')
    await secondWindow.window.click(link(layout.unread(2)))
    await secondWindow.sees(heading(notifications.heading))
    // Read in one window, they are read in both.
    await visit.misses(bellCount(2))
    await visit.sees(text(dashboard.noneUnread))
    await secondWindow.keepBoth('notifications')
  },
}

function bellCount(count: number): string {
  return `//a[contains(@class, 'bell')]//*[contains(@class, 'count')][.='${layout.count(count)}']`
}

export const goingBack: Flow = {
  name: 'back and forward',
  async run(visit) {
    const { window } = visit
    await visit.goTo(paths.login)
    await window.click(link(buttons.createAccount))
    await visit.sees(heading(register.heading))
    await window.fill(field(labels.name), 'Ann Typed')
    await window.click(link(brandName))
    await visit.sees(heading(home.heading))
    await window.back()
    await visit.sees(heading(register.heading))
    // The typed text is there again.
    await visit.finds('document.getElementById("name").value === "Ann Typed"')
    await window.back()
    await visit.sees(text(login.lead))
    await visit.isAt(paths.login)
    assert.match(await window.evaluate('document.title'), new RegExp(`^${login.heading} · `))
    await window.forward()
    await visit.sees(heading(register.heading))
    await window.forward()
    await visit.sees(heading(home.heading))
    await visit.isAt(paths.home)
  },
}

export const goingBackInside: Flow = {
  name: 'back to where one was, and from elsewhere',
  async run(visit) {
    const { window } = visit
    await visit.registerAndLogIn()
    await visit.goTo(paths['security.edit'])
    // With keyboard or mouse, like a person: going back, some browsers skip pages that only a script has left.
    await window.click(`//*[@id='api-tokens']${link(tokens.see)}`)
    // By its address: the page before has that heading too.
    await visit.isAt(paths['tokens.index'])
    await window.back()
    await visit.sees(heading(security.heading))
    await visit.finds('scrollY > 300')
    await window.click(link(settings.profile))
    await visit.isAt(paths['profile.edit'])
    // A foreign document, from which the whole page comes back as it was or is reloaded.
    await window.load('data:text/html,<p>Elsewhere</p>')
    await visit.sees(text('Elsewhere'))
    await window.back()
    await visit.hasStarted()
    await window.click(link(settings.security))
    await visit.sees(heading(security.heading))
  },
}
