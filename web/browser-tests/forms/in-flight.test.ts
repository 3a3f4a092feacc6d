import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import { addPasskeysAndTokens } from '../../../internal/testing/database/rows.ts'
import {
  awaitRequests,
  awaitScript,
  awaitIdle,
  logIn,
  registerVerified,
  submitsForm,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import {
  followLink,
  goTo,
  holdPost,
  awaitStoredText,
  nameField,
  openSettings,
  storedText,
} from '../../../internal/testing/chromium/open-settings.ts'
import { brandName } from '../../brand/brand.ts'
import { languages } from '../../contract/languages.ts'
import { buttons } from '#words/buttons'
import { clientWords } from '#words/client/client'
import { dashboard } from '#words/dashboard'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { home } from '#words/home'
import { labels } from '#words/labels'
import { login } from '#words/auth/login'
import { passkeys } from '#words/settings/passkeys'
import { settings } from '#words/settings/settings'
import { tokens } from '#words/settings/tokens'

// What a person does while a form, or the page it leads to, is in flight.

const chromium = chromiumOfFile()
const newName = 'Ann of the Hill'

test('text typed while a form is in flight stays after the response, and submitted values are cleared', async () => {
  const { page } = await openPage('/settings/tokens')
  const name = page.getByLabel(labels.name)
  await name.pressSequentially('deploy')
  await page.getByRole('checkbox').first().check()
  const answer = await holdPost(page)
  let posts = 0
  page.on('request', (request) => (posts += submitsForm(request) ? 1 : 0))
  await page.getByRole('button', { name: tokens.create }).click()
  await answer.answered
  await name.fill('backup')
  // In flight it is not sent twice, and it no longer holds what was sent.
  await name.press('Enter')
  answer.release()
  await page.getByText(tokens.made).waitFor()
  // A second request that waited for the first would be sent now.
  await awaitIdle(page)
  await awaitRequests(page)
  expect(posts).toBe(1)
  expect(await name.inputValue()).toBe('backup')
  expect(await page.getByRole('checkbox').first().isChecked()).toBe(false)
  await followLink(page, settings.security)
  await page.goBack()
  await expect.poll(() => name.inputValue()).toBe('backup')
  expect(await page.getByRole('checkbox').first().isChecked()).toBe(false)
})

test('the stored text of a submitted form is deleted even if the user left before the response', async () => {
  const { page } = await openPage('/settings/security')
  await followLink(page, settings.profile)
  await nameField(page).fill(newName)
  await awaitStoredText(page, newName)
  const answer = await holdPost(page)
  await page.getByRole('button', { name: buttons.save }).click()
  await answer.answered
  await page.goBack()
  await page.locator('[aria-current]', { hasText: settings.security }).first().waitFor()
  answer.release()
  await page.locator('#toasts').getByText(flashWords.profileSaved).waitFor()
  await expect.poll(() => storedText(page)).toBe('')
})

test('a form’s error is displayed in a toast when the user went back before the response', async () => {
  const { page } = await openPage('/settings/profile')
  await followLink(page, settings.security)
  const answer = await sendWrongPassword(page)
  await goTo(page, 'back', settings.profile)
  answer.release()
  await page.locator('#toasts [role=alert]').getByText(errorWords.wrongPassword).waitFor()
  expect(new URL(page.url()).pathname).toBe('/settings/profile')
})

test('a form’s error is displayed in a toast when the user followed a link before the response', async () => {
  const { page } = await openPage('/settings/security')
  const answer = await sendWrongPassword(page)
  await settingsLink(page, settings.profile).click()
  answer.release()
  await page.locator('[aria-current]', { hasText: settings.profile }).first().waitFor()
  await page.locator('#toasts [role=alert]').getByText(errorWords.wrongPassword).waitFor()
})

test('a user who followed a link before the response finds the saved value when going back', async () => {
  const { page } = await openPage('/settings/profile')
  await nameField(page).fill(newName)
  const answer = await holdPost(page)
  await nameField(page).press('Enter')
  await answer.answered
  await settingsLink(page, settings.security).click()
  answer.release()
  await page.locator('[aria-current]', { hasText: settings.security }).first().waitFor()
  await goTo(page, 'back', settings.profile)
  await page.locator('summary').getByText(newName).waitFor()
  expect(await nameField(page).inputValue()).toBe(newName)
})

test('a logout clears the page even if a link followed before the response fails to load', async () => {
  const { page } = await openPage('/settings/profile', { allowed: /ERR_FAILED/ })
  await page.route('**/settings/security', (route) => route.abort())
  const answer = await holdPost(page)
  await page.locator('details[data-menu] summary').click()
  await page.getByRole('button', { name: buttons.logOut }).click()
  await answer.answered
  await settingsLink(page, settings.security).dispatchEvent('click')
  // It disappears once the server has answered, so the wait begins here.
  const failureShown = page.getByRole('alert').getByText(clientWords.gone).waitFor()
  answer.release()
  await Promise.all([page.getByRole('heading', { name: home.heading }).waitFor(), failureShown])
  expect(await page.getByText(ann.email).count()).toBe(0)
})

test('a logout clears the page that the user went back to, even if it cannot be reloaded', async () => {
  const { page } = await openPage('/settings/security', { allowed: /ERR_FAILED/ })
  await followLink(page, settings.profile)
  const answer = await holdPost(page)
  await page.locator('details[data-menu] summary').click()
  await page.getByRole('button', { name: buttons.logOut }).click()
  await answer.answered
  await goTo(page, 'back', settings.security)
  await page.route('**/settings/security', (route) => route.abort())
  answer.release()
  await page.getByText(flashWords.loggedOut).waitFor()
  await expect.poll(() => page.getByText(ann.email).count()).toBe(0)
})

test('a user whose login ended sees a toast on the login page, even if they went back before the response', async () => {
  const { page, context } = await openPage('/settings/security', { allowed: /status of 401/ })
  await followLink(page, settings.profile)
  await nameField(page).fill(newName)
  await context.clearCookies()
  const answer = await holdPost(page)
  await nameField(page).press('Enter')
  await answer.answered
  await page.goBack()
  await page.locator('[aria-current]', { hasText: settings.security }).first().waitFor()
  answer.release()
  await page.getByText(login.lead).waitFor()
  expect(await page.locator('#toasts [role=alert]').textContent()).not.toBe('')
})

test('a user who follows a link while a token is being created stays on the page that shows it', async () => {
  const { page } = await openPage('/settings/tokens')
  await nameField(page).fill('deploy')
  await page.getByRole('checkbox').first().check()
  const answer = await holdPost(page)
  await page.getByRole('button', { name: tokens.create }).click()
  await answer.answered
  await settingsLink(page, settings.profile).click()
  answer.release()
  await page.getByText(tokens.made).waitFor()
  await expect.poll(() => page.locator('#progress.on').count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/settings/tokens')
})

test('a submitted form is cleared by its response, even if the user went back and forward meanwhile', async () => {
  const { page } = await openPage('/settings/security')
  await followLink(page, settings.tokens)
  const name = await fillInToken(page)
  const answer = await holdPost(page)
  await page.getByRole('button', { name: tokens.create }).click()
  await answer.answered
  await goTo(page, 'back', settings.security)
  await goTo(page, 'forward', settings.tokens)
  await expect.poll(() => name.inputValue()).toBe('deploy')
  answer.release()
  await page.getByText(tokens.made).waitFor()
  await expect.poll(() => name.inputValue()).toBe('')
  expect(await page.getByRole('checkbox').first().isChecked()).toBe(false)
})

test('text typed after going back and forward while a form is in flight stays after the response', async () => {
  const { page } = await openPage('/settings/security')
  await followLink(page, settings.profile)
  await nameField(page).fill(newName)
  await awaitStoredText(page, newName)
  const answer = await holdPost(page)
  await page.getByRole('button', { name: buttons.save }).click()
  await answer.answered
  await goTo(page, 'back', settings.security)
  await goTo(page, 'forward', settings.profile)
  await expect.poll(() => nameField(page).inputValue()).toBe(newName)
  await nameField(page).fill('third')
  answer.release()
  await page.locator('#toasts').getByText(flashWords.profileSaved).waitFor()
  await awaitStoredText(page, 'third')
  await followLink(page, settings.security)
  await goTo(page, 'back', settings.profile)
  await expect.poll(() => nameField(page).inputValue()).toBe('third')
})

test('a change undone while the form is in flight stays undone after the response, and is stored', async () => {
  const { page } = await openPage('/settings/profile')
  await nameField(page).fill(newName)
  await awaitStoredText(page, newName)
  const answer = await holdPost(page)
  await page.getByRole('button', { name: buttons.save }).click()
  await answer.answered
  await nameField(page).fill(ann.name)
  answer.release()
  await page.locator('#toasts').getByText(flashWords.profileSaved).waitFor()
  expect(await nameField(page).inputValue()).toBe(ann.name)
  await awaitStoredText(page, ann.name)
})

test('a field emptied while its form is in flight is empty after the response, and nothing stays stored', async () => {
  const { page } = await openPage('/settings/tokens')
  const name = await fillInToken(page)
  const answer = await holdPost(page)
  await page.getByRole('button', { name: tokens.create }).click()
  await answer.answered
  await name.fill('')
  answer.release()
  await page.getByText(tokens.made).waitFor()
  expect(await name.inputValue()).toBe('')
  await expect.poll(() => storedText(page)).toBe('')
})

test('the caret keeps its position when the response arrives', async () => {
  const { page } = await openPage('/settings/tokens')
  const name = await fillInToken(page)
  const answer = await holdPost(page)
  await page.getByRole('button', { name: tokens.create }).click()
  await answer.answered
  await name.press('Home')
  await name.pressSequentially('my')
  answer.release()
  await page.getByText(tokens.made).waitFor()
  await page.keyboard.type('-')
  expect(await name.inputValue()).toBe('my-deploy')
})

test('text typed while a form is in flight stays if the script that stores it loads after the submission', async () => {
  const { page, name, answer, loadScript } = await sendBeforeScript()
  await loadScript()
  await name.fill('backup')
  answer.release()
  await page.getByText(tokens.made).waitFor()
  expect(await name.inputValue()).toBe('backup')
  expect(await page.getByRole('checkbox').first().isChecked()).toBe(false)
})

test('text typed while a form is in flight stays even if the script that stores it loads after the typing', async () => {
  const { page, name, answer, loadScript } = await sendBeforeScript()
  await name.fill('backup')
  await page.getByRole('checkbox').nth(1).check()
  await loadScript()
  answer.release()
  await page.getByText(tokens.made).waitFor()
  expect(await name.inputValue()).toBe('backup')
  const checkedBoxes = page.getByRole('checkbox', { checked: true })
  expect(await checkedBoxes.all()).toHaveLength(1)
  expect(await page.getByRole('checkbox').nth(1).isChecked()).toBe(true)
})

test('a submitted form’s text is not restored when the response is a document of another build', async () => {
  const { page, context } = await openPage('/settings/tokens')
  await fillInToken(page)
  await awaitStoredText(page, 'deploy')
  // Each language is a separate build.
  const otherTab = await context.newPage()
  await otherTab.goto('/dashboard')
  await otherTab.getByRole('button', { name: languages.de.name }).click()
  await otherTab.locator('html[lang=de][data-started]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: tokens.create }).click()
  await page.locator('html[lang=de] #new-token').waitFor()
  await expect.poll(() => storedText(page)).toBe('')
  expect(await page.locator('#name').inputValue()).toBe('')
  expect(await page.getByRole('checkbox').first().isChecked()).toBe(false)
})

test('a password typed again before a login fails stays, and an unchanged password is cleared', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.context().clearCookies()
  const scriptResponse = page.waitForResponse(/\/typed-/)
  await page.goto('/login')
  await page.mouse.move(9, 9)
  await awaitScript(page, scriptResponse)
  const field = page.getByLabel(labels.password, { exact: true })
  const answer = await holdPost(page)
  await logIn(page, { ...ann, password: 'not hers at all' })
  await answer.answered
  await field.fill('nor is this')
  answer.release()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await awaitIdle(page)
  expect(await field.inputValue()).toBe('nor is this')
  await field.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('')
})

test('a password typed again before a login fails stays even if the script that clears it loads late', async () => {
  const { page } = await serveWithProfile(chromium())
  const released = Promise.withResolvers<void>()
  await page.route(/\/typed-/, (route) => released.promise.then(() => route.continue()))
  const scriptResponse = page.waitForResponse(/\/typed-/)
  await page.goto('/login')
  const field = page.getByLabel(labels.password, { exact: true })
  const answer = await holdPost(page)
  await logIn(page, { ...ann, password: 'not hers at all' })
  await answer.answered
  await field.fill('nor is this')
  released.resolve()
  await awaitScript(page, scriptResponse)
  answer.release()
  await page.locator('[aria-invalid=true]').first().waitFor()
  await awaitIdle(page)
  expect(await field.inputValue()).toBe('nor is this')
})

test('a failed form can be submitted again with new text as soon as its error is displayed', async () => {
  const { page } = await openPage('/settings/profile')
  const [answered, sentAgain] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let scriptsReleased = answered.promise
  // All scripts but the one that drawing the page waits for.
  await page.route(/\/(?!keep-in-place-)[\w-]+\.js$/, (route) =>
    scriptsReleased.then(() => route.continue()),
  )
  // So that no wait times out.
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const { opener, dialog, field, send } = deletionControls(page)
  await opener.click()
  await field.fill('not hers')
  const answer = page.waitForResponse('**/settings/profile')
  await send.click()
  await (await answer).finished()
  scriptsReleased = sentAgain.promise
  answered.resolve()
  await dialog.getByText(errorWords.wrongPassword).waitFor()
  await awaitIdle(page)
  await field.fill(ann.password)
  await send.click()
  sentAgain.resolve()
  await page.getByRole('heading', { level: 1, name: home.heading }).waitFor()
})

test('a failed form can be submitted again when the script that leads to its error never loads', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.context().clearCookies()
  await page.route(/\/typed-/, () => undefined)
  await page.goto('/login')
  await logIn(page, { ...ann, password: 'not hers at all' })
  await page.getByText(errorWords.wrongLogin).waitFor()
  await awaitIdle(page)
  await logIn(page, ann)
  await page.waitForURL('/dashboard')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a dialog that was closed before its form failed opens without the error', async () => {
  const { page } = await openPage('/settings/profile')
  const { opener, dialog, field, send } = deletionControls(page)
  await opener.click()
  await field.fill('not hers')
  const answer = await holdPost(page)
  await send.click()
  await answer.answered
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  answer.release()
  await page.getByText(errorWords.wrongPassword).waitFor({ state: 'attached' })
  await awaitIdle(page)
  await opener.click()
  await dialog.waitFor()
  await page.getByText(errorWords.wrongPassword).waitFor({ state: 'detached' })
})

test('closing a dialog while the next page loads does not keep that page from being shown and announced', async () => {
  const { page } = await openPage('/settings/profile')
  const released = Promise.withResolvers<void>()
  await page.route(/\/none-/, (route) => released.promise.then(() => route.continue()))
  const { opener, dialog, field, send } = deletionControls(page)
  await opener.click()
  await field.fill('not hers')
  await send.click()
  await dialog.getByText(errorWords.wrongPassword).waitFor()
  await awaitIdle(page)
  await field.fill(ann.password)
  const scriptRequest = page.waitForRequest(/\/none-/)
  await send.click()
  await scriptRequest
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  released.resolve()
  await page.getByRole('heading', { level: 1, name: home.heading }).waitFor()
  await expect.poll(() => page.locator('#announce').textContent()).toBe(await page.title())
})

test('a dialog whose form is in flight cannot be opened again until the response', async () => {
  const { page, app } = await openPage('/settings/security')
  const db = await openDatabase(app.database)
  await addPasskeysAndTokens(db, new Date())
  await db.close()
  await page.reload()
  const opener = page.getByRole('button', { name: passkeys.rename })
  const dialog = page.getByRole('dialog')
  await opener.click()
  await dialog.getByLabel(labels.name).fill('Work')
  const answer = await holdPost(page)
  await dialog.getByRole('button', { name: buttons.save }).click()
  await answer.answered
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await opener.click()
  expect(await dialog.count()).toBe(0)
  answer.release()
  await page.getByText('Work', { exact: true }).first().waitFor()
  await awaitIdle(page)
  await opener.click()
  await dialog.waitFor()
})

test('the progress bar disappears when the user gives up going back to a page whose script never loads', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/register')
  await page.getByRole('link', { name: buttons.logIn }).last().click()
  await page.getByText(login.lead).waitFor()
  await page.route(/\/card-/, () => undefined)
  await page.reload()
  await page.goBack()
  await page.locator('#progress.on').waitFor({ state: 'attached' })
  await page.goForward()
  await page.locator('#progress:not(.on)').waitFor({ state: 'attached' })
  expect(await page.getByText(login.lead).count()).toBe(1)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a link that is never answered is given up after 30 seconds, with a toast', async () => {
  const { page } = await openPage('/settings/profile')
  await page.clock.install()
  await page.route('**/settings/security', () => {})
  const pageRequest = page.waitForRequest('**/settings/security')
  await page.getByRole('link', { name: settings.security }).click()
  await pageRequest
  const failureShown = page.getByRole('alert').getByText(clientWords.gone).waitFor()
  await page.clock.fastForward(30_000)
  await failureShown
  await page.locator('#progress:not(.on)').waitFor({ state: 'attached' })
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await followLink(page, settings.security)
})

test('a page whose script never loads is requested as a document after 30 seconds', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await page.clock.install()
  await registerVerified(app, page, ann)
  await page.context().clearCookies()
  await page.goto('/login')
  // The scripts that draw pages, and those for users.
  const held = Promise.withResolvers<void>()
  let isLoading = true
  await page.route(/\/app-/, (route) => (isLoading ? held.resolve() : route.continue()))
  await logIn(page, ann)
  // Not only requested: the route learns of a request a moment after the test.
  await held.promise
  await page.waitForURL('/dashboard')
  isLoading = false
  const documentRequest = page.waitForRequest((request) => request.isNavigationRequest())
  await page.clock.fastForward(30_000)
  await documentRequest
  await page.getByRole('heading', { name: dashboard.heading(ann.name) }).waitFor()
})

test('the login page is requested as a document after 30 seconds when its script never loads', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.clock.install()
  await page.goto('/login')
  await page.route(/\/login-/, () => {}, { times: 1 })
  const scriptRequest = page.waitForRequest(/\/login-/)
  await logIn(page, ann)
  await scriptRequest
  const load = page.waitForEvent('load')
  await page.clock.fastForward(30_000)
  await load
  // Typed text is restored: from here on nothing else writes into the field.
  await expect.poll(() => page.getByLabel(labels.email).inputValue()).toBe(ann.email)
  await logIn(page, ann)
  await page.getByText(errorWords.wrongLogin).waitFor()
})

test('a page whose script never loads does not open after the user has gone back', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.clock.install()
  await page.goto('/login')
  await page.route(/\/card-/, () => {})
  const scriptRequest = page.waitForRequest(/\/card-/)
  await page.getByRole('link', { name: buttons.createAccount }).click()
  await scriptRequest
  await page.goBack()
  // Once it is drawn.
  await page.locator('#announce', { hasText: brandName }).waitFor({ state: 'attached' })
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.push(request.url())
  })
  await page.clock.fastForward(31_000)
  await awaitRequests(page)
  expect([documents, new URL(page.url()).pathname]).toEqual([[], '/login'])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

/** Sends a new password with a wrong current one; the answer is held back. */
async function sendWrongPassword(page: Page) {
  await page.getByLabel(labels.currentPassword).fill('wrong horse')
  await page.getByLabel(labels.newPassword, { exact: true }).fill('another horse')
  await page.getByLabel(labels.confirmPassword).fill('another horse')
  const answer = await holdPost(page)
  await page.keyboard.press('Enter')
  await answer.answered
  return answer
}

function settingsLink(page: Page, name: string) {
  return page.getByRole('navigation', { name: settings.pages }).getByRole('link', { name })
}

const openPage = (path: string, options: Parameters<typeof serveWithProfile>[1] = {}) =>
  openSettings(chromium(), path, options)

/** Sends the form for a token before the script that keeps typed text is loaded. */
async function sendBeforeScript() {
  const { page } = await openPage('/settings/tokens')
  const released = Promise.withResolvers<void>()
  await page.route(/\/typed-/, (route) => released.promise.then(() => route.continue()))
  await page.reload()
  const name = await fillInToken(page)
  const answer = await holdPost(page)
  const scriptResponse = page.waitForResponse(/\/typed-/)
  await page.getByRole('button', { name: tokens.create }).click()
  await answer.answered
  const loadScript = async () => {
    released.resolve()
    await awaitScript(page, scriptResponse)
  }
  return { page, name, answer, loadScript }
}

/** Fills in the form for a token, and returns its name field. */
async function fillInToken(page: Page) {
  await nameField(page).pressSequentially('deploy')
  await page.getByRole('checkbox').first().check()
  return nameField(page)
}

/** Returns the controls that delete an account, on the profile page. */
function deletionControls(page: Page) {
  const dialog = page.getByRole('dialog')
  return {
    opener: page.getByRole('button', { name: buttons.deleteAccount }).first(),
    dialog,
    field: dialog.getByLabel(labels.password, { exact: true }),
    send: dialog.getByRole('button', { name: buttons.deleteAccount }),
  }
}

test('going back while the next page is being encrypted for the history shows the page of the URL', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.addInitScript(() => {
    const { subtle } = crypto
    const encrypt = subtle.encrypt.bind(subtle)
    const released = Promise.withResolvers<void>()
    const encryptionBegins = Promise.withResolvers<void>()
    Object.assign(window, {
      hold: false,
      encryptionBegins: encryptionBegins.promise,
      release: released.resolve,
    })
    subtle.encrypt = async (...args) => {
      if ((window as unknown as { hold: boolean }).hold) {
        encryptionBegins.resolve()
        await released.promise
      }
      return encrypt(...args)
    }
  })
  await page.goto('/login')
  await page.locator('main a[href="/register"]').click()
  await page.waitForURL('/register')
  await page.evaluate('hold = true')
  await page.locator('a.brand').click()
  await page.evaluate('encryptionBegins')
  await page.goBack()
  await page.evaluate('release()')
  await page.getByRole('heading', { name: login.heading }).waitFor()
  await page.goForward()
  await page.waitForURL('/register')
})
