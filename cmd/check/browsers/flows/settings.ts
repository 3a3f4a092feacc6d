import { strict as assert } from 'node:assert'
import { resolve } from 'node:path'
import { appearance } from '#words/settings/appearance'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { home } from '#words/home'
import { labels } from '#words/labels'
import { profile } from '#words/settings/profile'
import { security } from '#words/settings/security'
import { settings } from '#words/settings/settings'
import { tokens } from '#words/settings/tokens'
import { languages } from '../../../../web/contract/languages.ts'
import { paths } from '../../../../web/contract/paths.ts'
import { button, dialog, field, heading, link, opener, text } from '../xpaths.ts'
import type { Flow } from '../visit.ts'

const picture = resolve(import.meta.dirname, '../../../../web/brand/social-en.png')

export const changingSettings: Flow = {
  name: 'settings',
  async run(visit) {
    const { window, person } = visit
    await visit.registerAndLogIn()
    await visit.goTo(paths['profile.edit'])
    await window.fill(field(labels.name), 'Ann Other')
    await window.click(button(buttons.save))
    await visit.sees(text(flashWords.profileSaved))
    await visit.sees(opener('Ann Other'))
    await visit.keepBoth('profile')
    await window.click(link(settings.security))
    await visit.sees(heading(security.heading))
    const password = 'other words in a row'
    await visit.fillIn({
      [labels.currentPassword]: person.password,
      [labels.newPassword]: password,
      [labels.confirmPassword]: password,
    })
    await window.click(button(buttons.save))
    await visit.sees(text(flashWords.passwordChanged))
    await visit.keepBoth('security')
    await window.click(link(settings.tokens))
    await visit.sees(heading(tokens.heading))
    await window.fill(field(labels.name), 'Mine')
    await window.click("//input[@value='user:read']")
    await window.click(button(tokens.create))
    await visit.sees(text(flashWords.tokenMade))
    await visit.sees("//code[@id='new-token']")
    await visit.keepBoth('tokens')
  },
}

export const choosingLooks: Flow = {
  name: 'appearance and language',
  async run(visit) {
    const { window } = visit
    await visit.registerAndLogIn()
    const secondWindow = await visit.openWindow()
    await secondWindow.goTo(paths.dashboard)
    await visit.goTo(paths['appearance.edit'])
    await window.click("//input[@value='dark']")
    // Immediately, in every window.
    for (const each of [visit, secondWindow])
      await each.finds("document.documentElement.dataset.appearance === 'dark'")
    await visit.sees(heading(appearance.heading))
    await secondWindow.keepBoth('dark')
    await secondWindow.goTo(paths['appearance.edit'])
    await secondWindow.window.click(`//input[@value='de']`)
    await secondWindow.window.click(button(appearance.useLanguage))
    await secondWindow.finds("document.documentElement.lang === 'de'")
    await secondWindow.sees(text(languages.de.name))
    await secondWindow.keepBoth('german')
  },
}

export const choosingPhoto: Flow = {
  name: 'photo',
  async run(visit) {
    const { window } = visit
    await visit.registerAndLogIn()
    await visit.goTo(paths['profile.edit'])
    await window.choose("//input[@id='photo']", picture)
    await visit.hasFocus('photo-crop')
    for (const key of ['+', '+', 'ArrowRight'] as const) await window.press(key)
    await visit.finds('Number(document.getElementById("photo-zoom").value) > 1')
    await visit.keepBoth('crop')
    await window.click(button(buttons.uploadPhoto))
    await visit.sees(text(flashWords.photoSaved))
    await visit.finds('document.querySelector(".photo img")?.naturalWidth > 100')
    await visit.keepBoth('photo')
    await window.click(button(buttons.removePhoto))
    await visit.sees(text(flashWords.photoRemoved))
    await visit.finds('!document.querySelector(".photo img")')
  },
}

export const answeringDialogs: Flow = {
  name: 'dialogs',
  async run(visit) {
    const { window, person } = visit
    await visit.registerAndLogIn()
    await visit.goTo(paths['profile.edit'])
    const inDialog = dialog(profile.sure)
    const isBackAtItsButton = 'document.activeElement.dataset.opens === "delete-account"'
    await window.click(button(buttons.deleteAccount))
    await visit.sees(inDialog())
    await visit.finds('document.querySelector("dialog[open]").matches(":modal")')
    await visit.hasFocus('password')
    await visit.keepBoth('dialog')
    await window.press('Escape')
    await visit.misses(inDialog())
    await visit.finds(isBackAtItsButton)
    await window.press('Enter')
    await window.click(inDialog(button(profile.keep)))
    await visit.misses(inDialog())
    await visit.finds(isBackAtItsButton)
    await window.press('Enter')
    await window.fill(inDialog(field(labels.password)), 'not hers at all')
    await window.press('Enter')
    await visit.sees(inDialog(text(errorWords.wrongPassword)))
    assert.equal(await window.value(inDialog(field(labels.password))), '')
    await window.fill(inDialog(field(labels.password)), person.password)
    await window.click(inDialog(button(buttons.deleteAccount)))
    await visit.sees(heading(home.heading))
    await visit.sees(text(flashWords.accountDeleted))
  },
}
