import type { BrowserContext, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { publishEvent } from '../../../internal/testing/processes/publish-event.ts'
import type { Served } from '../../../internal/testing/processes/executable.ts'
import { ann, bob } from '../../../internal/testing/people.ts'
import { hideLogins, showLogins } from '../../../internal/testing/database/hidden-tables.ts'
import {
  addPasskeysAndTokens,
  deleteLogins,
  notifyAll,
} from '../../../internal/testing/database/rows.ts'
import {
  followLink,
  awaitStoredText,
  nameField,
  openSettings,
  storedText,
} from '../../../internal/testing/chromium/open-settings.ts'
import {
  awaitIdle,
  logIn,
  openProfile,
  registerVerified,
  setVisible,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { errorPages } from '#words/error'
import { flashWords } from '#words/flash'
import { appName } from '../../contract/name.ts'
import { labels } from '#words/labels'
import { layout } from '#words/layout'
import { lines } from '#words/lines'
import { login } from '#words/auth/login'
import { passkeys } from '#words/settings/passkeys'
import { profile as profileWords } from '#words/settings/profile'
import { forgotPassword } from '#words/auth/recover'
import { settings } from '#words/settings/settings'
import { tokens } from '#words/settings/tokens'

const chromium = chromiumOfFile()
const newName = 'Ann of the Hill'

test('a form that fails with status 500 preserves typed text, shows the error and can be submitted again', async () => {
  const { page, app } = await openPage('/settings/profile', { allowed: /status of 500/ })
  const db = await openDatabase(app.database)
  await nameField(page).fill(newName)
  await hideLogins(db)
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('alert').getByText(errorPages[500].text).waitFor()
  expect(await nameField(page).inputValue()).toBe(newName)
  await showLogins(db)
  await db.close()
  await page.getByRole('button', { name: buttons.save }).click()
  await page.locator('#toasts').getByText(flashWords.profileSaved).waitFor()
})

test('typed text is restored after going back and by a link, with a notice that it is not saved', async () => {
  const { page } = await openPage('/settings/profile')
  await nameField(page).fill(newName)
  await followLink(page, settings.security)
  await page.goBack()
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
  const notice = page.getByRole('alert').getByText(flashWords.typedBefore)
  await notice.waitFor()
  await followLink(page, settings.tokens)
  await notice.waitFor({ state: 'detached' })
  await followLink(page, settings.profile)
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
  await notice.waitFor()
})

test('a ticked checkbox is restored, and each form of a page has its own typed text', async () => {
  const { page } = await openPage('/settings/tokens')
  const checkbox = page.getByRole('checkbox').first()
  await checkbox.press('Space')
  await page.getByLabel(labels.name).pressSequentially('deploy')
  await followLink(page, settings.security)
  expect(await page.getByLabel(passkeys.name).inputValue()).toBe('')
  await page.goBack()
  await expect.poll(() => page.getByLabel(labels.name).inputValue()).toBe('deploy')
  // It replaces no saved value.
  expect(await page.locator('.toast').count()).toBe(0)
  expect(await checkbox.isChecked()).toBe(true)
})

test('a choice in a select is restored, and a select without a change is not stored', async () => {
  const { page } = await serveWithProfile(chromium())
  await addSelects(page, '/register')
  await page.goto('/register')
  const choices = page.locator('select')
  const chosenValues = () =>
    choices.evaluateAll((selects: HTMLSelectElement[]) =>
      selects.map((select) => [...select.selectedOptions].map(({ value }) => value).join()),
    )
  expect(await chosenValues()).toEqual(['open', 'low', 'web', ''])
  await nameField(page).fill(newName)
  await awaitStoredText(page, newName)
  expect(await storedText(page)).not.toMatch(/open|low|web|small/)
  await choices.nth(0).selectOption('done')
  await choices.nth(1).selectOption('high')
  await choices.nth(2).selectOption(['mail', 'print'])
  await awaitStoredText(page, 'print')
  await page.reload()
  await expect.poll(chosenValues).toEqual(['done', 'high', 'mail,print', ''])
  expect(await nameField(page).inputValue()).toBe(newName)
})

test('a new name typed for a passkey is restored after a link and back', async () => {
  const { page, app } = await openPage('/settings/security')
  const db = await openDatabase(app.database)
  await addPasskeysAndTokens(db, new Date())
  await db.close()
  await page.reload()
  const rename = page.getByRole('button', { name: passkeys.rename })
  await rename.click()
  const field = page.getByRole('dialog').getByLabel(labels.name)
  await field.fill('Work laptop')
  // Like a phone's back button: no click reaches what is below an open dialog.
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href$="/profile"]')?.click())
  await page.getByRole('heading', { name: profileWords.details }).waitFor()
  await page.goBack()
  await rename.click()
  await expect.poll(() => field.inputValue()).toBe('Work laptop')
})

test('text typed before the script that stores it loaded is restored', async () => {
  const { page } = await openPage('/settings/profile')
  const released = Promise.withResolvers<void>()
  await page.route(/\/typed-/, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.reload()
  await nameField(page).fill(newName)
  const answer = page.waitForResponse('**/settings/security')
  await page.getByRole('link', { name: settings.security }).first().click()
  await answer
  released.resolve()
  await page.locator('[aria-current]', { hasText: settings.security }).first().waitFor()
  await page.goBack()
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
})

test('a choice made before the script loaded is not overwritten by an older stored choice', async () => {
  const { page } = await serveWithProfile(chromium())
  await addSelects(page, '/register')
  await page.goto('/register')
  const chosenValues = () =>
    page
      .locator('#own')
      .evaluate((form: HTMLFormElement) =>
        Array.from(new FormData(form)).flatMap(([name, value]) =>
          /status|pace|size/.test(name) ? [value] : [],
        ),
      )
  expect(await chosenValues()).toEqual(['open', 'slow'])
  await page.locator('[name=status]').selectOption('done')
  await page.locator('[name=size]').selectOption('small')
  await page.getByRole('radio').nth(1).check()
  await awaitStoredText(page, 'small')
  const released = Promise.withResolvers<void>()
  await page.route(/\/typed-/, async (route) => {
    await released.promise
    await route.continue()
  })
  await page.reload()
  await page.locator('[name=status]').selectOption('late')
  await page.getByRole('radio').nth(2).check()
  released.resolve()
  // Restored, since nothing was chosen there meanwhile.
  await expect.poll(chosenValues).toContain('small')
  expect(await chosenValues()).toEqual(['late', 'small', 'fastest'])
})

test('typed text is restored after a reload and when coming back from another site', async () => {
  const { page } = await openPage('/settings/profile')
  await nameField(page).fill(newName)
  await awaitStoredText(page, newName)
  await page.reload()
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
  const otherSite = 'http://elsewhere.test/'
  await page.route(otherSite, (route) => route.fulfill({ contentType: 'text/html', body: 'Else' }))
  await page.goto(otherSite)
  await page.goBack()
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
})

test('typed text is restored even if the session storage was full for a while', async () => {
  const { page } = await openPage('/settings/profile')
  await page.evaluate(fillStorage)
  await nameField(page).pressSequentially('too much')
  await page.waitForFunction(() => 'isRefused' in window)
  await page.evaluate(() => sessionStorage.removeItem('filler'))
  await nameField(page).fill(newName)
  await awaitStoredText(page, newName)
  await page.reload()
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
})

test('unreadable stored text does not prevent new text from being stored', async () => {
  const { page } = await openPage('/settings/profile')
  await page.evaluate(() => sessionStorage.setItem('typedText', '? ?'))
  await page.reload()
  await nameField(page).fill(newName)
  await awaitStoredText(page, newName)
  await page.reload()
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
})

test('submitted text is not restored', async () => {
  const { page } = await openPage('/settings/tokens')
  await page.getByLabel(labels.name).fill('deploy')
  await page.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: tokens.create }).click()
  await page.getByText(tokens.made).waitFor()
  await followLink(page, settings.security)
  await followLink(page, settings.tokens)
  expect(await page.getByLabel(labels.name).inputValue()).toBe('')
  expect(await page.getByRole('checkbox').first().isChecked()).toBe(false)
  expect(await storedText(page)).toBe('')
})

test('pages and controls work while the script that stores typed text never loads', async () => {
  const { page } = await openPage('/settings/profile')
  await page.route(/\/typed-/, () => undefined)
  await page.reload()
  await nameField(page).fill(newName)
  await followLink(page, settings.security)
  await followLink(page, settings.profile)
  await page.getByRole('button', { name: buttons.deleteAccount }).click()
  await page.getByRole('dialog').waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('text typed by a guest is not stored for the user who logs in', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.context().clearCookies()
  await page.goto('/register')
  await nameField(page).fill(newName)
  await page.getByRole('link', { name: buttons.logIn }).click()
  await page.getByText(login.lead).waitFor()
  await logIn(page, ann)
  await page.waitForURL('/dashboard')
  await expect.poll(() => storedText(page)).toBe('')
})

test('passwords are not stored, even when shown, and all stored text is encrypted', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/register')
  await nameField(page).fill(newName)
  await page.getByLabel(labels.password, { exact: true }).fill('secret horse')
  await page.getByRole('button', { name: labels.showPassword }).first().click()
  await page.getByLabel(labels.password, { exact: true }).pressSequentially(' shown')
  await page.getByLabel(labels.confirmPassword).fill('secret horse')
  await page.getByLabel(labels.email).fill(bob.email)
  await awaitStoredText(page, bob.email)
  expect(await storedText(page)).not.toContain('secret')
  const stored = await page.evaluate(() =>
    JSON.stringify([history.state, sessionStorage, localStorage]),
  )
  expect([stored.includes(newName), stored.includes('secret')]).toEqual([false, false])
  await page.getByRole('link', { name: buttons.logIn }).click()
  await page.getByText(login.lead).waitFor()
  await page.goBack()
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
  expect(await page.getByLabel(labels.password, { exact: true }).inputValue()).toBe('')
})

test('logging out deletes typed text in every tab', async () => {
  const { page, context } = await openPage('/settings/profile')
  const otherTab = await context.newPage()
  await otherTab.goto('/settings/profile')
  for (const tab of [otherTab, page]) await nameField(tab).fill(newName)
  await awaitStoredText(page, newName)
  await page.locator('summary', { hasText: layout.account }).click()
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.getByRole('status').getByText(flashWords.loggedOut).waitFor()
  await otherTab.getByRole('heading', { name: login.heading }).waitFor()
  expect(await storedText(page)).toBe('')
  await page.getByRole('link', { name: buttons.logIn }).first().click()
  await page.getByText(login.lead).waitFor()
  await logIn(page, ann)
  await page.waitForURL('/settings/profile')
  expect(await nameField(page).inputValue()).toBe(ann.name)
  await logIn(otherTab, ann)
  await otherTab.waitForURL('/dashboard')
  await otherTab.locator('summary', { hasText: layout.account }).click()
  await otherTab.getByRole('link', { name: layout.settings }).click()
  await otherTab.getByRole('heading', { name: profileWords.details }).waitFor()
  expect(await nameField(otherTab).inputValue()).toBe(ann.name)
})

test('logging out deletes typed text in a tab that first learns that its login has ended', async () => {
  const { page, context } = await openPage('/settings/profile')
  const otherTab = await context.newPage()
  await otherTab.goto('/settings/profile')
  await nameField(otherTab).fill(newName)
  const cookies = await context.cookies()
  const session = cookies.find(({ name }) => name === `${appName}_session`)
  const loggedOut = Promise.withResolvers<void>()
  // As if requested before the browser had the cookie of the logout, and answered after it.
  await otherTab.route('/settings/profile', async (route) => {
    const headers = { ...route.request().headers(), cookie: `${session?.name}=${session?.value}` }
    const response = await route.fetch({ headers })
    await loggedOut.promise
    await route.fulfill({ response })
  })
  await page.locator('summary', { hasText: layout.account }).click()
  await page.getByRole('button', { name: buttons.logOut }).click()
  await page.getByRole('status').getByText(flashWords.loggedOut).waitFor()
  loggedOut.resolve()
  await otherTab.getByRole('heading', { name: login.heading }).waitFor()
  await otherTab.unrouteAll({ behavior: 'ignoreErrors' })
  await logIn(otherTab, ann)
  await otherTab.locator('summary', { hasText: layout.account }).click()
  await otherTab.getByRole('link', { name: layout.settings }).click()
  await otherTab.getByRole('heading', { name: profileWords.details }).waitFor()
  expect(await nameField(otherTab).inputValue()).toBe(ann.name)
})

test('typed text is restored once the user whose login ended elsewhere has logged in again', async () => {
  const { page, app } = await openPage('/settings/profile')
  await nameField(page).fill(newName)
  await endLogins(app)
  await page.getByRole('link', { name: settings.tokens }).click()
  await page.getByRole('heading', { name: login.heading }).waitFor()
  await page.getByRole('link', { name: login.forgot }).click()
  await page.getByRole('link', { name: buttons.logIn }).click()
  await page.getByRole('heading', { name: login.heading }).waitFor()
  await logIn(page, ann)
  await page.waitForURL('/settings/tokens')
  await followLink(page, settings.profile)
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
})

test('typed text of a user whose login ended is not restored for another user who logs in', async () => {
  const { page, app } = await openPage('/settings/profile')
  await registerVerified(app, (await openProfile(chromium(), app)).page, bob)
  await nameField(page).fill(newName)
  await awaitStoredText(page, newName)
  await endLogins(app)
  await page.getByRole('link', { name: settings.tokens }).click()
  await page.getByRole('heading', { name: login.heading }).waitFor()
  expect(await storedText(page)).toBe('')
  await logIn(page, bob)
  await page.waitForURL('/settings/tokens')
  await followLink(page, settings.profile)
  expect(await nameField(page).inputValue()).toBe(bob.name)
  await expect.poll(() => storedText(page)).toBe('')
})

test('text that the server kept while a login ended stays when the page then reloads itself, or its form fails', async () => {
  const { page, app } = await openPage('/settings/profile')
  await nameField(page).fill(newName)
  await endLogins(app)
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('heading', { name: login.heading }).waitFor()
  // The text is now with the server only.
  await page.reload()
  await logIn(page, ann)
  await page.getByRole('alert').getByText(flashWords.typedBefore).waitFor()
  expect(await nameField(page).inputValue()).toBe(newName)
  await publishEvent(app, 'notification')
  await page.locator('.bell .count').waitFor()
  expect(await nameField(page).inputValue()).toBe(newName)
  await page.getByLabel(labels.email).fill('ann')
  await page.getByRole('button', { name: buttons.save }).click()
  await page.locator('#email[aria-invalid=true]').waitFor()
  await awaitIdle(page)
  expect(await nameField(page).inputValue()).toBe(newName)
  await page.getByLabel(labels.email).fill(ann.email)
  expect(await nameField(page).inputValue()).toBe(newName)
  await page.getByRole('button', { name: buttons.save }).click()
  await page.locator('#toasts').getByText(flashWords.profileSaved).waitFor()
  await page.locator('header', { hasText: newName }).waitFor()
})

test('a typed password is cleared from an open page that turns out to be another user’s', async () => {
  const { page, context, app } = await openPage('/settings/security')
  await page.getByLabel(labels.currentPassword).fill(ann.password)
  await logInBob(app, context)
  // Makes the page reload, which then shows what another person sees.
  const reload = page.waitForResponse((answer) => 'x-page-unasked' in answer.request().headers())
  await setVisible(page, false)
  await setVisible(page, true)
  await reload
  await page.locator('header', { hasText: bob.name }).waitFor()
  expect(await page.getByLabel(labels.currentPassword).inputValue()).toBe('')
})

test('a list of one user’s unread notifications is replaced whole once it turns out to be another user’s', async () => {
  const { page, context, app } = await openPage('/notifications')
  const db = await openDatabase(app.database)
  await notifyAll(db, new Date())
  await db.close()
  await page.goto('/notifications?unread')
  const line = page.getByRole('main').getByText(lines['password-changed']({}))
  await line.waitFor()
  await logInBob(app, context)
  await setVisible(page, false)
  await setVisible(page, true)
  await page.locator('header', { hasText: bob.name }).waitFor()
  expect(await line.count()).toBe(0)
})

test('a form on one user’s page changes nothing for another user who has logged in since', async () => {
  const { page, context, app } = await openPage('/settings/profile')
  await page.getByLabel(labels.email).fill('free@x.test')
  await nameField(page).fill(newName)
  await logInBob(app, context)
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('alert').getByText(flashWords.anotherIsLoggedIn).waitFor()
  expect(await nameField(page).inputValue()).toBe(bob.name)
  await page.reload()
  expect(await nameField(page).inputValue()).toBe(bob.name)
  // No draft is kept that would be filled in a moment later.
  expect(await storedText(page)).toBe('')
})

test('a form on one user’s page changes nothing for another user while the next page of its tab is loading', async () => {
  const { page, context, app } = await openPage('/settings/profile')
  await page.getByLabel(labels.email).fill('free@x.test')
  await nameField(page).fill(newName)
  await page.route(/\/login-/, () => undefined)
  const scriptRequest = page.waitForRequest(/\/login-/)
  const otherTab = await context.newPage()
  await otherTab.goto('/settings/profile')
  await otherTab.locator('summary', { hasText: layout.account }).click()
  await otherTab.getByRole('button', { name: buttons.logOut }).click()
  await scriptRequest
  await logInBob(app, context)
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByRole('alert').getByText(flashWords.anotherIsLoggedIn).waitFor()
  await otherTab.goto('/settings/profile')
  expect(await nameField(otherTab).inputValue()).toBe(bob.name)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('without JavaScript a form on one user’s page changes nothing for a user who has logged in since', async () => {
  const { page, context, app } = await openPage('/settings/profile', { javaScriptEnabled: false })
  await page.getByLabel(labels.email).fill('free@x.test')
  await nameField(page).fill(newName)
  await logInBob(app, context)
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByText(flashWords.anotherIsLoggedIn).waitFor()
  expect(await nameField(page).inputValue()).toBe(bob.name)
  await nameField(page).fill(newName)
  await page.getByRole('button', { name: buttons.save }).click()
  await page.getByText(flashWords.profileSaved).waitFor()
  expect(await nameField(page).inputValue()).toBe(newName)
})

test('closing a tab with a changed form asks for confirmation each time, until the form is submitted', async () => {
  const { page } = await openPage('/settings/profile')
  await typeOver(nameField(page), newName)
  await awaitStoredText(page, newName)
  expect(await asksToClose(page)).toBe(true)
  expect(await asksToClose(page)).toBe(true)
  await page.getByRole('button', { name: buttons.save, exact: true }).click()
  await page.locator('#toasts').getByText(flashWords.profileSaved).waitFor()
  expect(await asksToClose(page)).toBe(false)
})

test('closing a tab with a form changed back to its saved values asks for no confirmation', async () => {
  const { page } = await openPage('/settings/profile')
  await typeOver(nameField(page), newName)
  await awaitStoredText(page, newName)
  await typeOver(nameField(page), ann.name)
  expect(await asksToClose(page)).toBe(false)
})

test('closing a tab with only a ticked checkbox asks for no confirmation', async () => {
  const { page } = await openPage('/settings/tokens')
  await page.getByRole('checkbox').first().check()
  await awaitStoredText(page, 'true')
  expect(await asksToClose(page)).toBe(false)
})

test('closing a tab with a guest’s changed form asks for no confirmation', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/register')
  await typeOver(nameField(page), newName)
  await awaitStoredText(page, newName)
  expect(await asksToClose(page)).toBe(false)
})

test('closing a tab with text typed on an earlier page asks for no confirmation', async () => {
  const { page } = await openPage('/settings/profile')
  await typeOver(nameField(page), newName)
  await awaitStoredText(page, newName)
  await followLink(page, settings.security)
  expect(await asksToClose(page)).toBe(false)
})

test('changing the language asks for no confirmation and preserves typed text', async () => {
  const { page } = await openPage('/settings/profile')
  await nameField(page).fill(newName)
  await awaitStoredText(page, newName)
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.type())
    return dialog.accept()
  })
  await page.getByRole('button', { name: 'Deutsch' }).click()
  await page.locator('html[lang=de][data-started]').waitFor({ state: 'attached' })
  await expect.poll(() => page.locator('#name').inputValue()).toBe(newName)
  expect(dialogs).toEqual([])
})

test('the email of the login form is carried to the forgotten-password form and back, not in the URL', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/login')
  await page.getByLabel(labels.email).fill(ann.email)
  await page.getByRole('link', { name: login.forgot }).click()
  await page.getByText(forgotPassword.lead).waitFor()
  await expect.poll(() => page.getByLabel(labels.email).inputValue()).toBe(ann.email)
  expect(page.url()).not.toContain('ann')
  await page.getByLabel(labels.email).fill(bob.email)
  await page.getByRole('link', { name: buttons.logIn }).click()
  await page.getByText(login.lead).waitFor()
  expect(await page.getByLabel(labels.email).inputValue()).toBe(bob.email)
})

/** Fills up the session storage, and records in `isRefused` that a value was rejected. */
function fillStorage(): void {
  let filler = ''
  for (let length = 2 ** 22; length >= 1; length /= 2)
    try {
      sessionStorage.setItem('filler', filler + 'x'.repeat(length))
      filler += 'x'.repeat(length)
    } catch {}
  const setItem = Reflect.get(Storage.prototype, 'setItem')
  Storage.prototype.setItem = function (this: Storage, name, value) {
    try {
      Reflect.apply(setItem, this, [name, value])
    } catch (error) {
      Object.assign(window, { isRefused: true })
      throw error
    }
  }
}

const openPage = (path: string, options: Parameters<typeof serveWithProfile>[1] = {}) =>
  openSettings(chromium(), path, options)

/** Logs Bob in in another tab of the browser, whose login is lost. */
async function logInBob(app: Served, context: BrowserContext): Promise<void> {
  await registerVerified(app, (await openProfile(chromium(), app)).page, bob)
  await context.clearCookies()
  const bobsTab = await context.newPage()
  await bobsTab.goto('/login')
  await logIn(bobsTab, bob)
  await bobsTab.waitForURL('/dashboard')
}

/** Ends the logins of all browsers, without an event to open pages. */
async function endLogins(app: Served): Promise<void> {
  const db = await openDatabase(app.database)
  await deleteLogins(db)
  await db.close()
}

/**
 * Adds one select of each kind to the form of a page: with a choice by the server, without one, for several
 * values, and with several rows; and radio buttons.
 */
async function addSelects(page: Page, path: string): Promise<void> {
  const selects = `
    <select form="own" name="status"><option>done<option selected>open<option>late</select>
    <select form="own" name="urgency"><option disabled>none<option>low<option>high</select>
    <select form="own" name="labels" multiple><option>mail<option>print<option selected>web</select>
    <select form="own" name="size" size="3"><option>small<option>large</select>
    ${['slow" checked', 'fast"', 'fastest"'].map((value) => `<input form="own" type="radio" name="pace" value="${value}>`).join('')}`
  await page.route(path, async (route) => {
    const response = await route.fetch()
    const body = (await response.text())
      .replace(`action="${path}"`, '$& id="own"')
      .replace('</body>', `${selects}$&`)
    await route.fulfill({ response, body })
  })
}

/** Types by keyboard: a tab without any user input is closed without asking. */
async function typeOver(field: Locator, text: string): Promise<void> {
  await field.press('ControlOrMeta+a')
  await field.pressSequentially(text)
}

/** Whether the browser asks before it closes the tab, which then stays. */
async function asksToClose(page: Page): Promise<boolean> {
  const closed = page.waitForEvent('close').then(() => undefined)
  const outcome = Promise.race([closed, page.waitForEvent('dialog')])
  await page.close({ runBeforeUnload: true })
  const dialog = await outcome
  await dialog?.dismiss()
  // Until the page has learnt that it stays, it would not be asked again.
  if (dialog) await page.evaluate(() => undefined)
  return dialog?.type() === 'beforeunload'
}
