import { appName } from '../../contract/name.ts'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { serve, type Served } from '../../../internal/testing/processes/executable.ts'
import { deletePasskeys } from '../../../internal/testing/passkeys.ts'
import { ann, bob } from '../../../internal/testing/people.ts'
import { startSmtp, type Smtp } from '../../../internal/testing/network/smtp.ts'
import {
  awaitRequests,
  failOnce,
  holdRequests,
  awaitIdle,
  logIn,
  openProfile,
  registerVerified,
  serveWithProfile,
  timeIn,
} from '../../../internal/testing/chromium/tab.ts'
import { publishEvent } from '../../../internal/testing/processes/publish-event.ts'
import { followLink, goTo, storedText } from '../../../internal/testing/chromium/open-settings.ts'
import {
  knownKey,
  lapseConfirmation,
} from '../../../internal/testing/chromium/lapse-confirmation.ts'
import { VirtualPasskeys } from '../../../internal/testing/chromium/virtual-passkeys.ts'
import { buttons } from '#words/buttons'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { labels } from '#words/labels'
import { clientWords } from '#words/client/client'
import { dashboard } from '#words/dashboard'
import { registerPasskey } from '#words/auth/challenge'
import { home } from '#words/home'
import { login } from '#words/auth/login'
import { passkeyFailures } from '#words/client/passkey-failures'
import { passkeys as passkeyWords } from '#words/settings/passkeys'
import { settings } from '#words/settings/settings'
import { profile as profileWords } from '#words/settings/profile'
import { confirmPassword } from '#words/auth/recover'
import { security } from '#words/settings/security'

const chromium = chromiumOfFile()

test('a user registers with a passkey through the mailed link, and has no password', async () => {
  const smtp = await startSmtp()
  const app = await serve({ settings: smtp.settings })
  const { page } = await openProfile(chromium(), app)
  const keys = await VirtualPasskeys.of(page)
  await page.goto('/register')
  await page.getByLabel(labels.name).fill(ann.name)
  await page.getByLabel(labels.email).fill(ann.email)
  await page.getByRole('button', { name: buttons.usePasskeyInstead }).click()
  await awaitToast(page, flashWords.registrationSent)
  await page.goto(await linkIn(smtp))
  await page.getByText(registerPasskey.about).waitFor()
  await page.getByRole('button', { name: buttons.makePasskey }).click()
  await page.waitForURL('/dashboard')
  expect(await keys.all()).toMatchObject([{ userName: ann.email, userDisplayName: ann.name }])
  await page.goto('/settings/security')
  await page.getByRole('heading', { name: security.set }).waitFor()
})

test('a passkey login with the button leads to the page requested before', async () => {
  const { page } = await openWithPasskey()
  await forgetLogin(page)
  await disableAutofill(page)
  await page.goto('/notifications')
  await pressButton(page, buttons.logInPasskey)
  await page.waitForURL('/notifications')
})

test('with remember a passkey login lasts for 30 days', async () => {
  const { page, context } = await openWithPasskey()
  await forgetLogin(page)
  await disableAutofill(page)
  await page.goto('/login')
  await page.getByLabel(labels.remember).check()
  await pressButton(page, buttons.logInPasskey)
  await page.waitForURL('/dashboard')
  const session = (await context.cookies()).find(({ name }) => name === `${appName}_session`)
  const days = ((session?.expires ?? 0) - Date.now() / 1000) / 86_400
  expect(days).toBeGreaterThan(29)
})

test('a user can log in with a passkey offered at the email field', async () => {
  const { page } = await openWithPasskey()
  await forgetLogin(page)
  await page.goto('/login')
  await page.getByLabel(labels.email).click()
  await page.waitForURL('/dashboard')
})

test('the login page requests no passkeys before the user presses the email field', async () => {
  const { page } = await serveWithProfile(chromium())
  const requests = recordOffers(page)
  await openLogin(page)
  // The page itself has set the focus, and a passing pointer is only a sign of activity.
  const scriptResponse = page.waitForResponse(/\/typed-/)
  await page.getByLabel(labels.email).hover()
  await scriptResponse
  await page.getByLabel(labels.password, { exact: true }).click()
  await page.getByRole('link', { name: login.forgot }).focus()
  await awaitRequests(page)
  expect(requests).toEqual([])
  await page.getByLabel(labels.email).click()
  await expect.poll(() => requests).toEqual(['GET', 'POST'])
})

test('pressing the email field requests passkeys once, even if the browser refuses before the release', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.addInitScript(() => {
    navigator.credentials.get = async () => {
      document.documentElement.dataset['refused'] = ''
      throw new DOMException('None is to be had.', 'NotAllowedError')
    }
  })
  const requests = recordRequests(page, '/login/passkey/options')
  await openLogin(page)
  await page.getByLabel(labels.email).hover()
  await page.mouse.down()
  await page.locator('[data-refused]').waitFor()
  await page.mouse.up()
  // A request by the click would come before this one.
  await awaitOffers(page)
  expect(requests).toEqual(['POST'])
  await page.mouse.down()
  await expect.poll(() => requests).toEqual(['POST', 'POST'])
})

test('the first keystroke in the focused email field requests passkeys', async () => {
  const { page } = await serveWithProfile(chromium())
  const requests = recordOffers(page)
  await openLogin(page)
  await awaitRequests(page)
  expect(requests).toEqual([])
  await page.keyboard.press('a')
  await expect.poll(() => requests).toEqual(['GET', 'POST'])
})

test('passkeys are offered to a user who clicked the email field before the script loaded', async () => {
  const { page } = await serveWithProfile(chromium())
  const released = Promise.withResolvers<void>()
  await page.route(/\/passkeys-/, async (route) => {
    await released.promise
    await route.continue()
  })
  const requests = recordRequests(page, '/login/passkey/options')
  await page.goto('/login', { waitUntil: 'commit' })
  await page.getByLabel(labels.email).click()
  released.resolve()
  await expect.poll(() => requests).toEqual(['POST'])
})

test('the passkey button leads to the dashboard when the user has logged in in another tab', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await page.goto('/login')
  await registerVerified(app, page, ann)
  await pressButton(page, buttons.logInPasskey)
  await page.waitForURL('/dashboard')
})

test('the email field leads to the dashboard when the user has logged in in another tab', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await page.goto('/login')
  await registerVerified(app, page, ann)
  await page.getByLabel(labels.email).click()
  await page.waitForURL('/dashboard')
})

test('the button that creates a passkey creates no account when the user has logged in in another tab', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await VirtualPasskeys.of(page)
  const headers = { Origin: app.origin }
  const form = { name: bob.name, email: bob.email }
  await page.request.post('/register/passkey', { form, headers, maxRedirects: 0 })
  await page.goto(await linkInLog(app))
  await registerVerified(app, page, ann)
  await pressButton(page, buttons.makePasskey)
  await page.waitForURL('/dashboard')
  const guest = await openProfile(chromium(), app)
  const emailCheck = { ...headers, 'X-Page-Validate-Only': 'email' }
  const checkResponse = await guest.page.request.post('/register', { form, headers: emailCheck })
  expect(checkResponse.status()).toBe(204)
})

test('the passkey offer at the email field ends for the passkey button, and begins again after it', async () => {
  const { page, keys } = await openWithPasskey()
  await forgetLogin(page)
  await keys.touch(false)
  const requests = recordRequests(page, '/login/passkey/options')
  await page.goto('/login')
  await page.getByLabel(labels.email).click()
  await expect.poll(() => requests.length).toBe(1)
  await keys.verify(false)
  await keys.touch(true)
  await pressButton(page, buttons.logInPasskey)
  await page.getByText(passkeyFailures.cancelled).waitFor()
  await expect.poll(() => requests.length).toBe(3)
})

test('clicking the email field while the passkey button is busy requests no second challenge', async () => {
  const { page } = await openWithPasskey()
  await forgetLogin(page)
  const requests = recordRequests(page, '/login/passkey/options')
  const released = Promise.withResolvers<void>()
  await page.route('**/login/passkey/options', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto('/login')
  await pressButton(page, buttons.logInPasskey)
  await expect.poll(() => requests.length).toBe(1)
  await Promise.all([page.waitForResponse(/\/autofill-/), page.getByLabel(labels.email).click()])
  released.resolve()
  await page.waitForURL('/dashboard')
  expect(requests).toHaveLength(1)
})

test('a passkey offer that is never answered does not delay a password login', async () => {
  const { page, app } = await openWithPasskey()
  await registerVerified(app, (await openProfile(chromium(), app)).page, bob)
  await forgetLogin(page)
  const requests = recordRequests(page, '/login/passkey/options')
  await page.route('**/login/passkey/options', () => {})
  await page.goto('/login')
  await page.getByLabel(labels.email).click()
  await expect.poll(() => requests.length).toBe(1)
  await logIn(page, bob)
  await page.waitForURL('/dashboard')
})

test('a passkey offer that is never answered does not delay a link', async () => {
  const { page } = await serveWithProfile(chromium())
  const requests = recordRequests(page, '/login/passkey/options')
  await page.route('**/login/passkey/options', () => {})
  await page.goto('/login')
  await page.getByLabel(labels.email).click()
  await expect.poll(() => requests.length).toBe(1)
  // A link that waits too long loads a new document.
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.getByRole('link', { name: buttons.createAccount }).click()
  await page.getByRole('button', { name: buttons.usePasskeyInstead }).waitFor()
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
})

test('passkeys are offered at the email field again after a wrong password', async () => {
  const { page, keys } = await openWithPasskey()
  await forgetLogin(page)
  await keys.touch(false)
  const requests = recordRequests(page, '/login/passkey/options')
  await openWithOffer(page)
  await pressButton(page, buttons.logInPasskey)
  await expect.poll(() => requests.length).toBe(2)
  await logIn(page, bob)
  await page.getByText(errorWords.wrongLogin).waitFor()
  await awaitIdle(page)
  const before = requests.length
  await page.getByLabel(labels.email).click()
  await expect.poll(() => requests.length).toBe(before + 1)
})

test('a user can log in with the password while a passkey is being waited for', async () => {
  const { page, keys, app } = await openWithPasskey()
  await registerVerified(app, (await openProfile(chromium(), app)).page, bob)
  await forgetLogin(page)
  await keys.touch(false)
  await page.goto('/login')
  const optionsResponse = page.waitForResponse('**/login/passkey/options')
  await pressButton(page, buttons.logInPasskey)
  await optionsResponse
  const loginRequests = recordRequests(page, '/login')
  await page.getByLabel(labels.email).fill(bob.email)
  await page.getByLabel(labels.password, { exact: true }).fill(bob.password)
  const button = page.getByRole('button', { name: buttons.logIn, exact: true })
  // Clicked twice, before anything could handle the first click.
  await button.evaluate((element: HTMLElement) => {
    element.click()
    element.click()
  })
  await page.waitForURL('/dashboard')
  // This visit waits for anything else that is sent.
  await page.getByRole('link', { name: dashboard.profile }).click()
  await page.waitForURL('/settings/profile')
  expect(loginRequests).toHaveLength(1)
})

test('the passkey offer is repeated with a new challenge before the first challenge ends', async () => {
  const { page, keys } = await openWithPasskey()
  await forgetLogin(page)
  await keys.touch(false)
  const requests = recordRequests(page, '/login/passkey/options')
  await page.clock.install()
  await openWithOffer(page)
  expect(requests).toHaveLength(1)
  await page.clock.runFor(4 * 60_000)
  await expect.poll(() => requests.length).toBe(2)
})

test('the passkey offer is repeated with a new challenge after the computer slept', async () => {
  const { page, keys } = await openWithPasskey()
  await forgetLogin(page)
  await keys.touch(false)
  const requests = recordRequests(page, '/login/passkey/options')
  await page.clock.install()
  await openWithOffer(page)
  // The time of day has gone on; timers stood still meanwhile.
  await page.clock.setSystemTime((await timeIn(page)) + 10 * 60_000)
  await page.clock.runFor(10_000)
  await expect.poll(() => requests.length).toBe(2)
})

test('a passkey offer that the user refused is repeated when the email field is clicked', async () => {
  const { page, keys } = await openWithPasskey()
  await forgetLogin(page)
  await keys.verify(false)
  const requests = recordRequests(page, '/login/passkey/options')
  await page.addInitScript(() => {
    const { credentials } = navigator
    const get = credentials.get.bind(credentials)
    credentials.get = (options) =>
      get(options).catch((error: unknown) => {
        document.documentElement.dataset.failed = ''
        throw error
      })
  })
  await page.goto('/login')
  await page.getByLabel(labels.email).click()
  await page.locator('[data-failed]').waitFor({ state: 'attached' })
  await awaitOffers(page)
  expect(requests).toHaveLength(1)
  await keys.verify(true)
  await page.getByLabel(labels.email).click()
  await page.waitForURL('/dashboard')
})

test('the passkey offer ends when the user leaves the login page', async () => {
  const { page, keys } = await openWithPasskey()
  await forgetLogin(page)
  await keys.touch(false)
  const requests = recordRequests(page, '/login/passkey/options')
  await page.clock.install()
  await openWithOffer(page)
  expect(requests).toHaveLength(1)
  await page.getByRole('link', { name: buttons.createAccount }).click()
  // The URL changes before the previous page ends its work.
  await page.getByRole('button', { name: buttons.usePasskeyInstead }).waitFor()
  await page.clock.runFor(10 * 60_000)
  await keys.touch(true)
  await awaitOffers(page)
  expect([requests.length, page.url()]).toEqual([1, expect.stringContaining('/register')])
})

test('a passkey that no account has is refused with a message, and the browser forgets it', async () => {
  const { page, app, keys } = await openWithPasskey()
  await forgetLogin(page)
  await deleteAllPasskeys(app)
  await disableAutofill(page)
  await page.goto('/login')
  await pressButton(page, buttons.logInPasskey)
  await page.getByRole('alert').getByText(errorWords.passkeyUnknown).waitFor()
  await expect.poll(() => keys.all()).toEqual([])
})

test('a passkey that answers by itself and is refused is offered three times at most', async () => {
  const { page, app } = await openWithPasskey()
  await forgetLogin(page)
  await deleteAllPasskeys(app)
  await page.addInitScript(() => {
    delete (PublicKeyCredential as { signalUnknownCredential?: unknown }).signalUnknownCredential
  })
  const loginRequests = recordRequests(page, '/login/passkey')
  const requests = recordRequests(page, '/login/passkey/options')
  await page.goto('/login')
  await page.getByLabel(labels.email).click()
  await expect.poll(() => loginRequests.length).toBe(3)
  await page.getByRole('alert').getByText(errorWords.passkeyUnknown).waitFor()
  await pressButton(page, buttons.logInPasskey)
  await expect.poll(() => loginRequests.length).toBe(4)
  await page.locator('[data-passkey]:not([aria-busy])').waitFor()
  await awaitOffers(page)
  expect([loginRequests.length, requests.length]).toEqual([4, 4])
})

test('closing an unused dialog preserves an error elsewhere on the page', async () => {
  const { page } = await openWithoutPassword()
  await page.goto('/settings/profile')
  // Otherwise the field is validated again on blur, with the same error.
  await page.route('**', (route) =>
    'x-page-validate-only' in route.request().headers() ? undefined : route.fallback(),
  )
  await page.getByLabel(labels.name, { exact: true }).fill('   ')
  await page.getByRole('button', { name: buttons.save }).click()
  const invalidField = page.locator('#name[aria-invalid=true]')
  await invalidField.waitFor()
  await page.getByRole('button', { name: buttons.deleteAccount }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await page.evaluate(() => {
    document.querySelector('dialog[open]')?.addEventListener('close', () => {
      document.documentElement.dataset['closed'] = ''
    })
  })
  await page.keyboard.press('Escape')
  await page.locator('html[data-closed]').waitFor({ state: 'attached' })
  expect(await invalidField.count()).toBe(1)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('an account without a password confirms with a passkey and has no password field', async () => {
  const { page } = await openWithoutPassword()
  await page.goto('/confirm-password')
  await page.getByText(confirmPassword.leadPasskey).waitFor()
  expect(await page.locator('[type=password]').count()).toBe(0)
  await pressButton(page, buttons.usePasskey)
  await page.waitForURL('/dashboard')
})

test('a typed password is not sent along with a passkey', async () => {
  const { page } = await openWithPasskey()
  await page.goto('/confirm-password')
  await page.getByLabel(labels.password, { exact: true }).fill('half a horse')
  const confirmRequest = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/confirm-password'),
  )
  await pressButton(page, buttons.usePasskey)
  expect(Object.keys((await confirmRequest).postDataJSON() as object)).toContain('credential')
  expect((await confirmRequest).postData()).not.toContain('horse')
  await page.waitForURL('/dashboard')
})

test('an account without a password is deleted with its passkey', async () => {
  const { page } = await openWithoutPassword()
  await page.goto('/settings/profile')
  await page.getByRole('button', { name: buttons.deleteAccount }).click()
  await page.getByRole('dialog').getByRole('button', { name: buttons.usePasskey }).click()
  await page.getByRole('heading', { name: home.heading }).waitFor()
  await awaitToast(page, flashWords.accountDeleted)
})

test.each([
  ['while the passkey options load', /\/passkey\/options/],
  ['before the passkey script has loaded', /\/ceremony-/],
])('an account is not deleted when its deletion is given up %s', async (_, address) => {
  const { page } = await openWithoutPassword()
  await page.goto('/settings/profile')
  const { isHeld, release } = await holdRequests(page, address)
  const requestedPaths: string[] = []
  page.on('request', (request) => {
    if (/DELETE|POST/.test(request.method())) requestedPaths.push(new URL(request.url()).pathname)
  })
  await page.getByRole('button', { name: buttons.deleteAccount }).click()
  const passkeyButton = page.getByRole('dialog').getByRole('button', { name: buttons.usePasskey })
  const busyButton = page.locator('[data-passkey][aria-busy=true]')
  await passkeyButton.click()
  await isHeld
  await page.keyboard.press('Escape')
  release()
  await busyButton.waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: profileWords.heading }).waitFor()
  expect(requestedPaths.filter((path) => !path.endsWith('/options'))).toEqual([])
})

test('a passkey is added with a name, renamed and removed', async () => {
  const { page, keys } = await openSecurity()
  await page.getByLabel(passkeyWords.name).fill('Work laptop')
  await pressButton(page, buttons.addPasskey)
  await awaitToast(page, flashWords.passkeyAdded)
  await page.getByText('Work laptop', { exact: true }).first().waitFor()
  const nameInput = page.getByLabel(passkeyWords.name)
  expect(await nameInput.inputValue()).toBe('')
  await page.goto('/dashboard')
  await page.goBack()
  expect(await nameInput.inputValue()).toBe('')
  // No draft is kept that would be filled in a moment later.
  expect(await storedText(page)).toBe('')
  expect(await keys.all()).toHaveLength(1)
  await page.getByRole('button', { name: passkeyWords.rename }).click()
  await page.getByRole('dialog').getByLabel(labels.name).fill('Old laptop')
  await page.getByRole('dialog').getByRole('button', { name: buttons.save }).click()
  await awaitToast(page, flashWords.passkeyRenamed)
  await page.getByText('Old laptop', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Remove Old laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: buttons.remove, exact: true }).click()
  await awaitToast(page, flashWords.passkeyRemoved)
  await page.getByText('Old laptop').first().waitFor({ state: 'detached' })
})

test('the browser is sent the list of valid passkeys when one is added and when one is removed', async () => {
  const { page } = await openSecurity()
  const signals = await recordSignals(page)
  await page.reload()
  await pressButton(page, buttons.addPasskey)
  await awaitToast(page, flashWords.passkeyAdded)
  await expect.poll(() => countAccepted(signals)).toEqual([1])
  await page.getByRole('button', { name: buttons.remove }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: buttons.remove, exact: true }).click()
  await awaitToast(page, flashWords.passkeyRemoved)
  await expect.poll(() => countAccepted(signals)).toEqual([1, 0])
})

test('a passkey not stored by the server yet stays in the browser when the page reloads', async () => {
  const { page, app, keys } = await openSecurity()
  const signals = await recordSignals(page)
  const release = await holdNewPasskeys(page)
  await page.reload()
  await pressButton(page, buttons.addPasskey)
  await expect.poll(() => keys.all()).toHaveLength(1)
  const reload = page.waitForResponse(
    (answer) => 'x-page-unasked' in answer.request().headers() && answer.url().endsWith('security'),
  )
  await publishEvent(app, 'notification')
  expect(await (await reload).json()).toHaveProperty('props.signal.allAcceptedCredentialIds', [])
  await page.locator('.bell .count').getByText('1', { exact: true }).waitFor()
  await release()
  await awaitToast(page, flashWords.passkeyAdded)
  await expect.poll(() => countAccepted(signals)).toEqual([1])
  expect(await keys.all()).toHaveLength(1)
})

test('a passkey that was made as the confirmation lapsed is removed from the browser', async () => {
  const { page, context, keys } = await openSecurity(/status of 423/, {
    APP_KEY: `base64:${knownKey.toString('base64')}`,
  })
  const release = await holdNewPasskeys(page)
  await page.reload()
  await pressButton(page, buttons.addPasskey)
  await expect.poll(() => keys.all()).toHaveLength(1)
  await lapseConfirmation(context)
  await release()
  await page.waitForURL('/confirm-password')
  await expect.poll(() => keys.all()).toEqual([])
})

test('a passkey that was made after the registration was finished elsewhere is removed from the browser', async () => {
  const { page, app } = await serveWithProfile(chromium())
  const keys = await VirtualPasskeys.of(page)
  const form = { name: bob.name, email: bob.email }
  const headers = { Origin: app.origin }
  await page.request.post('/register/passkey', { form, headers, maxRedirects: 0 })
  const release = await holdNewPasskeys(page)
  await page.goto(await linkInLog(app))
  await pressButton(page, buttons.makePasskey)
  await expect.poll(() => keys.all()).toHaveLength(1)
  await registerVerified(app, (await openProfile(chromium(), app)).page, bob)
  await release()
  await page.getByRole('alert').getByText(flashWords.registrationDone).waitFor()
  await expect.poll(() => keys.all()).toEqual([])
})

test('a page from history that lacks a new passkey does not make the browser remove it', async () => {
  const { page, keys } = await openWithPasskey()
  await page.getByRole('button', { name: buttons.remove }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: buttons.remove, exact: true }).click()
  await awaitToast(page, flashWords.passkeyRemoved)
  await expect.poll(() => keys.all()).toEqual([])
  await followLink(page, settings.profile)
  await followLink(page, settings.security)
  await pressButton(page, buttons.addPasskey)
  await page.getByRole('button', { name: passkeyWords.rename }).waitFor()
  await goTo(page, 'back', settings.profile)
  await goTo(page, 'back', settings.security)
  await page.getByRole('button', { name: passkeyWords.rename }).waitFor()
  await awaitRequests(page)
  expect(await keys.all()).toHaveLength(1)
})

test('the browser is sent the new name of a user with a passkey', async () => {
  const { page } = await openWithPasskey()
  const signals = await recordSignals(page)
  await page.goto('/settings/profile')
  await page.getByLabel(labels.name).fill('Ann Other')
  await page.getByRole('button', { name: buttons.save }).click()
  await awaitToast(page, flashWords.profileSaved)
  await expect
    .poll(() => signals.at(-1))
    .toEqual(['signalCurrentUserDetails', expect.objectContaining({ displayName: 'Ann Other' })])
})

test('an authenticator cannot have two passkeys of one account, and the page says why', async () => {
  const { page } = await openWithPasskey()
  await page.goto('/settings/security')
  await pressButton(page, buttons.addPasskey)
  await page.getByRole('alert').getByText(passkeyFailures.there).waitFor()
})

test('a passkey cannot be removed when it is the last one and the password is removed', async () => {
  const { page } = await openWithoutPassword()
  await page.getByText(passkeyWords.onlyWay).waitFor()
  await page.getByRole('button', { name: buttons.remove }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: buttons.remove, exact: true }).click()
  await page.locator('#toasts').getByText(errorWords.lastWayIn).waitFor()
  expect(await page.getByText(passkeyWords.onlyWay).isVisible()).toBe(true)
})

test('an account without a password can set a first one and log in with it', async () => {
  const { page } = await openWithoutPassword()
  await page.getByLabel(labels.newPassword).fill('another horse')
  await page.getByLabel(labels.confirmPassword).fill('another horse')
  await page.getByRole('button', { name: buttons.setPassword }).click()
  await page.getByRole('heading', { name: security.change }).waitFor()
  await forgetLogin(page)
  await disableAutofill(page)
  await page.goto('/login')
  await logIn(page, { email: ann.email, password: 'another horse' })
  await page.waitForURL('/dashboard')
})

test('a cancelled passkey is reported at the button, which keeps the focus and works again', async () => {
  const { page, keys } = await openSecurity()
  await keys.verify(false)
  await pressButton(page, buttons.addPasskey)
  await page.getByRole('alert').getByText(passkeyFailures.cancelled).waitFor()
  const button = page.getByRole('button', { name: buttons.addPasskey })
  expect(await button.getAttribute('aria-busy')).toBe(null)
  expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
  await keys.verify(true)
  await button.click()
  await awaitToast(page, flashWords.passkeyAdded)
  expect(await page.getByText(passkeyFailures.cancelled).count()).toBe(0)
})

test('the error of a passkey is displayed in a toast when the user left the page before the response', async () => {
  const { page } = await openSecurity(/status of 422/)
  const navigation = page.getByRole('navigation', { name: settings.pages })
  await navigation.getByRole('link', { name: settings.profile }).click()
  await page.getByRole('heading', { name: profileWords.heading, exact: true }).waitFor()
  await page.goBack()
  const [requested, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/settings/passkeys', async (route) => {
    requested.resolve()
    await released.promise
    const refusal = { message: 'Refused.', errors: { credential: 'Not this one.' } }
    await route.fulfill({ status: 422, json: refusal })
  })
  await pressButton(page, buttons.addPasskey)
  await requested.promise
  await page.goForward()
  await page.getByRole('heading', { name: profileWords.heading, exact: true }).waitFor()
  released.resolve()
  await awaitToast(page, 'Not this one.')
  expect(await page.locator('#app').getByText('Not this one.').count()).toBe(0)
})

test('the passkey button is busy while it works, and requests only one challenge', async () => {
  const { page, keys } = await openSecurity()
  const requests = recordRequests(page, '/settings/passkeys/options')
  await keys.touch(false)
  const button = page.getByRole('button', { name: buttons.addPasskey })
  await button.click()
  await expect.poll(() => button.getAttribute('aria-busy')).toBe('true')
  await expect.poll(() => requests).toHaveLength(1)
  await button.dispatchEvent('click')
  await button.press('Enter')
  await awaitRequests(page)
  expect(requests).toHaveLength(1)
})

test('an unreachable server is reported when a passkey is added', async () => {
  const { page, context, keys } = await openSecurity(/ERR_INTERNET_DISCONNECTED/)
  await keys.verify(false)
  await pressButton(page, buttons.addPasskey)
  await page.getByRole('alert').getByText(passkeyFailures.cancelled).waitFor()
  await context.setOffline(true)
  await pressButton(page, buttons.addPasskey)
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
})

test('a passkey request that is never answered is reported after half a minute', async () => {
  const { page } = await openSecurity()
  await page.clock.install()
  const { promise: isRequested, resolve } = Promise.withResolvers<void>()
  await page.route('**/settings/passkeys/options', () => resolve())
  await pressButton(page, buttons.addPasskey)
  await isRequested
  await page.clock.fastForward(31_000)
  await page.getByRole('alert').getByText(clientWords.gone).waitFor()
})

test('a page whose passkey script is gone is loaded again when a passkey is added', async () => {
  const { page } = await openSecurity(/ERR_FAILED/)
  // The client stores the page in the history just before it handles clicks.
  const awaitClient = () => page.waitForFunction(() => history.state !== null)
  await page.goto('/settings/security?once')
  await awaitClient()
  await failOnce(page, /ceremony-/)
  await Promise.all([page.waitForEvent('load'), pressButton(page, buttons.addPasskey)])
  await page.goto('/settings/security?twice')
  await awaitClient()
  await pressButton(page, buttons.addPasskey)
  await awaitToast(page, flashWords.passkeyAdded)
})

test('a user can log in with the password while the script for passkeys never loads', async () => {
  const { page } = await openWithPasskey()
  await forgetLogin(page)
  await disableAutofill(page)
  const { isHeld } = await holdRequests(page, /\/ceremony-/)
  await page.goto('/login')
  await pressButton(page, buttons.logInPasskey)
  await isHeld
  await logIn(page, ann)
  await page.waitForURL('/dashboard')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a script for autofill that never loads delays no login, with a passkey or with the password', async () => {
  const { page, keys } = await openWithPasskey()
  await forgetLogin(page)
  const { isHeld } = await holdRequests(page, /\/autofill-/)
  await page.goto('/login')
  await page.getByLabel(labels.email).click()
  await isHeld
  await keys.verify(false)
  await pressButton(page, buttons.logInPasskey)
  await page.getByText(passkeyFailures.cancelled).waitFor()
  await keys.touch(false)
  await pressButton(page, buttons.logInPasskey)
  await logIn(page, ann)
  await page.waitForURL('/dashboard')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('using a passkey after the login has ended leads to the login page', async () => {
  const { page, context } = await openWithPasskey(/status of 401/)
  await disableAutofill(page)
  await page.goto('/confirm-password')
  await context.clearCookies()
  await pressButton(page, buttons.usePasskey)
  await page.waitForURL('/login')
})

test('a browser that cannot convert passkey options to and from JSON can add and use a passkey', async () => {
  const { page } = await openSecurity()
  await disableAutofill(page)
  await page.addInitScript(() => {
    const platform = PublicKeyCredential as unknown as Record<string, unknown>
    delete platform.parseCreationOptionsFromJSON
    delete platform.parseRequestOptionsFromJSON
    delete (PublicKeyCredential.prototype as { toJSON?: unknown }).toJSON
  })
  await page.reload()
  await pressButton(page, buttons.addPasskey)
  await awaitToast(page, flashWords.passkeyAdded)
  await pressButton(page, buttons.addPasskey)
  await page.getByRole('alert').getByText(passkeyFailures.there).waitFor()
  await forgetLogin(page)
  await page.goto('/login')
  await pressButton(page, buttons.logInPasskey)
  await page.waitForURL('/dashboard')
})

test('a browser without passkeys shows no buttons for them', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.addInitScript(() => {
    delete (globalThis as { PublicKeyCredential?: unknown }).PublicKeyCredential
  })
  await page.goto('/login')
  await page.getByRole('button', { name: buttons.logIn, exact: true }).waitFor()
  expect(await page.locator('[data-passkey]').isVisible()).toBe(false)
  await page.goto('/register')
  expect(await page.getByText(buttons.usePasskeyInstead).isVisible()).toBe(false)
})

test('at a bare IP address the login page shows no button for passkeys', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await page.goto(`http://127.0.0.1:${app.port}/login`)
  await page.getByRole('button', { name: buttons.logIn, exact: true }).waitFor()
  expect(await page.locator('[data-passkey]').isVisible()).toBe(false)
})

/** Opens Ann's security page, with an empty authenticator. */
async function openSecurity(allowed?: RegExp, settings: Readonly<Record<string, string>> = {}) {
  const { page, app, context } = await serveWithProfile(chromium(), {
    settings,
    ...(allowed && { allowed }),
  })
  const keys = await VirtualPasskeys.of(page)
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  return { page, app, context, keys }
}

/** Does the same and adds a passkey. */
async function openWithPasskey(allowed?: RegExp) {
  const profile = await openSecurity(allowed)
  await pressButton(profile.page, buttons.addPasskey)
  await awaitToast(profile.page, flashWords.passkeyAdded)
  return profile
}

/** Does the same and removes the password. */
async function openWithoutPassword() {
  const profile = await openWithPasskey()
  const removeButton = profile.page.getByRole('button', { name: security.removeButton })
  await removeButton.click()
  await profile.page.getByRole('dialog').locator(removeButton).click()
  await profile.page.getByRole('heading', { name: security.set }).waitFor()
  return profile
}

async function pressButton(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click()
}

async function awaitToast(page: Page, text: string): Promise<void> {
  await page.locator('#toasts').getByText(text).waitFor()
}

/** Makes the next pages send new passkeys, which the browser has by then, only once the returned function is called. */
async function holdNewPasskeys(page: Page): Promise<() => Promise<unknown>> {
  await page.addInitScript(() => {
    const { credentials } = navigator
    const create = credentials.create.bind(credentials)
    // Listens from now on: a test sees the passkey before this page does.
    const answered = new Promise((resolve) => addEventListener('answer', resolve))
    credentials.create = async (options) => {
      const credential = await create(options)
      await answered
      return credential
    }
  })
  return () => page.evaluate(() => dispatchEvent(new Event('answer')))
}

/** Deletes the passkeys of all accounts. */
async function deleteAllPasskeys({ database }: Served): Promise<void> {
  const db = await openDatabase(database)
  await deletePasskeys(db)
  await db.close()
}

/** Resets the page to that of a browser that was never logged in. */
async function forgetLogin(page: Page): Promise<void> {
  await page.goto('/up')
  await page.context().clearCookies()
}

/** Disables the autofill of passkeys: this authenticator answers it at once, as nobody has to touch it. */
async function disableAutofill(page: Page): Promise<void> {
  await page.addInitScript(() => {
    delete (PublicKeyCredential as { isConditionalMediationAvailable?: unknown })
      .isConditionalMediationAvailable
  })
}

/** Opens the login page, clicks its field, and waits for the offer of passkeys: the challenge then ages. */
async function openWithOffer(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const { credentials } = navigator
    const get = credentials.get.bind(credentials)
    credentials.get = (options) => {
      document.documentElement.dataset.offered = ''
      return get(options)
    }
  })
  await page.goto('/login')
  await page.getByLabel(labels.email).click()
  await page.locator('[data-offered]').waitFor({ state: 'attached' })
}

/** Opens the login page, and waits until the script that offers passkeys is running. */
async function openLogin(page: Page): Promise<void> {
  await page.goto('/login')
  const address = await page.waitForFunction(
    () =>
      performance.getEntriesByType('resource').find(({ name }) => name.includes('/passkeys-'))
        ?.name,
  )
  // The page has imported it before, so its import resolves first.
  await page.evaluate(`import(${JSON.stringify(await address.jsonValue())})`)
}

/** Waits until the test knows of all requests by offers so far: each offer first asks the browser the same. */
async function awaitOffers(page: Page): Promise<void> {
  await page.evaluate(() => PublicKeyCredential.isConditionalMediationAvailable())
  await awaitRequests(page)
}

/** Records the methods of requests to a path from now on. */
function recordRequests(page: Page, path: string): readonly string[] {
  const methods: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) methods.push(request.method())
  })
  return methods
}

/** Records the methods of requests for the script of the offers beside a field, and for their options, from now on. */
function recordOffers(page: Page): readonly string[] {
  const methods: string[] = []
  page.on('request', (request) => {
    if (/\/autofill-|\/login\/passkey\/options$/.test(request.url())) methods.push(request.method())
  })
  return methods
}

type Signal = readonly [name: string, details: unknown]

/** Records what later pages signal to the browser, which handles it as usual. */
async function recordSignals(page: Page): Promise<readonly Signal[]> {
  const signals: Signal[] = []
  await page.exposeFunction('recordSignal', (...signal: Signal) => void signals.push(signal))
  await page.addInitScript(() => {
    const platform = PublicKeyCredential as unknown as Record<string, (details: unknown) => unknown>
    const { recordSignal } = globalThis as unknown as { recordSignal: (...signal: Signal) => void }
    const names = [
      'signalAllAcceptedCredentials',
      'signalCurrentUserDetails',
      'signalUnknownCredential',
    ]
    for (const name of names) {
      const signal = platform[name]?.bind(platform)
      platform[name] = (details) => {
        recordSignal(name, details)
        return signal?.(details)
      }
    }
  })
  return signals
}

/** Returns how many valid passkeys each signal listed. */
function countAccepted(signals: readonly Signal[]): readonly number[] {
  const lists = signals.map(
    ([, details]) => details as { allAcceptedCredentialIds?: readonly string[] },
  )
  return lists.map(({ allAcceptedCredentialIds = [] }) => allAcceptedCredentialIds.length)
}

const registrationLink = /http:\/\/localhost:\d+\/register\/passkey\/[^\s"<]+/

/** Waits for the first mail, and returns its link. */
async function linkIn(smtp: Smtp): Promise<string> {
  await expect.poll(() => smtp.received.length).toBeGreaterThan(0)
  const content = smtp.received[0]?.content.toString() ?? ''
  // In quoted-printable a line that continues ends in `=`.
  const text = content.replace(/=\r\n/g, '').replace(/=3D/g, '=')
  return registrationLink.exec(text)?.[0] ?? ''
}

/** Returns the link without a mail server: mails are in the log. */
async function linkInLog(app: Served): Promise<string> {
  const link = () =>
    registrationLink.exec(app.lines.map(({ message }) => message).join('\n'))?.[0] ?? ''
  await expect.poll(link).not.toBe('')
  return link()
}
