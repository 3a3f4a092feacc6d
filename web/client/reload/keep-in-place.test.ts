import { expect, test } from 'vitest'
import { asStored } from '../core/history/entries.ts'
import { hasArrived, keepInPlace, mergeReload, showsOnce } from './keep-in-place.ts'
import { mergeErrors } from '../validation.ts'
import type { Flash, Page } from '../../contract/pages.ts'

const errors = { email: 'Enter an email address, such as ann@example.com.' }

function dashboard(props: object, flash: Flash = {}): Page {
  const shared = { auth: { user: null }, bell: { unread: 0 }, errors: {}, language: 'en' as const }
  return {
    component: 'Dashboard',
    props: { ...shared, ...props },
    url: '/dashboard',
    version: 'one',
    flash,
    encryptHistory: true,
    clearHistory: false,
  }
}

function list(...ids: number[]) {
  return { data: ids.map((id) => ({ id })), pages: 1, total: ids.length }
}

function listing(ids: readonly number[], unread: number) {
  const data = ids.map((id) => ({ id, unread: true }))
  return dashboard({ bell: { unread }, notifications: { data, pages: 2, total: 22 } })
}

function having(...codeMarks: string[]) {
  return { twoFactor: { enabled: codeMarks.length > 0, codeMarks } }
}

function loggedIn(id: number) {
  return { auth: { user: { id } } }
}

test('a checked field that is now valid loses its error, and an unchecked field keeps its error', () => {
  const before = { name: 'Fill in this field.', email: 'taken', password: 'short' }
  expect(mergeErrors(before, ['name', 'email'], { email: 'malformed' })).toEqual({
    email: 'malformed',
    password: 'short',
  })
})

test('a partial reload preserves the props that it did not request', () => {
  const current = dashboard({ kept: 1, renewed: 1 })
  const answer = dashboard({ renewed: 2, bell: { unread: 3 } })
  const { props } = mergeReload(current, answer, true)
  expect(props).toMatchObject({ kept: 1, renewed: 2, bell: { unread: 3 } })
})

test('a full reload drops a prop that the page no longer has', () => {
  const { props } = mergeReload(dashboard({ gone: 1 }), dashboard({}), false)
  expect(props).not.toHaveProperty('gone')
})

test('a reload preserves the errors of a form that is being filled in', () => {
  expect(mergeReload(dashboard({ errors }), dashboard({}), false).props.errors).toEqual(errors)
})

test('a reload preserves the text that the server gave back to a form, until newer text comes', () => {
  const [kept, newer] = [{ old: { name: 'Ann B' } }, { old: { name: 'Ann C' } }]
  expect(mergeReload(dashboard(kept), dashboard({}), false).props).toMatchObject(kept)
  expect(mergeReload(dashboard(kept), dashboard({}), true).props).toMatchObject(kept)
  expect(mergeReload(dashboard(kept), dashboard(newer), false).props).toMatchObject(newer)
  expect(mergeReload(dashboard({}), dashboard({}), false).props).not.toHaveProperty('old')
})

test('a reload preserves flash shown in place, but not the flash of toasts', () => {
  const current = dashboard({}, { success: 'Done.', error: 'But.', token: 'app_abc' })
  expect(mergeReload(current, dashboard({}), true).flash).toEqual({ token: 'app_abc' })
})

test('recovery codes stay until the page is left, whether they come from the prop or the flash', () => {
  const current = dashboard({ recoveryCodes: ['asked'] }, { recoveryCodes: ['told'] })
  expect(mergeReload(current, dashboard({}), false)).toEqual(current)
  expect(keepInPlace(current, dashboard({}))).toEqual(current)
  const made = dashboard({}, { recoveryCodes: ['new'] })
  expect(keepInPlace(current, made).flash).toEqual(made.flash)
})

test('recovery codes stay when some of them are used, but not once the account has others or none', () => {
  const codes = { recoveryCodes: ['a', 'b'] }
  const [asked, told] = [
    dashboard({ ...having('A', 'B'), ...codes }),
    dashboard(having('A', 'B'), codes),
  ]
  const [used, others, off] = [having('B'), having('C', 'D'), having()].map((now) => dashboard(now))
  for (const shown of [asked, told]) {
    expect(showsOnce(keepInPlace(shown, used ?? shown))).toBe(true)
    for (const answer of [others, off])
      expect(showsOnce(mergeReload(shown, answer ?? shown, false))).toBe(false)
  }
})

test('recovery codes requested after others were made elsewhere stay, since their marks come with them', () => {
  const current = dashboard(having('A', 'B'))
  const asked = dashboard({ ...having('C', 'D'), recoveryCodes: ['c', 'd'] })
  const shown = mergeReload(current, asked, true)
  expect(showsOnce(mergeReload(shown, dashboard(having('C', 'D')), false))).toBe(true)
})

test('a notification has arrived if more are unread, or one newer than all of a full list is', () => {
  const before = listing([3, 2], 20)
  expect(hasArrived(before, listing([4, 3], 20))).toBe(true)
  expect(hasArrived(before, listing([3, 2], 21))).toBe(true)
  expect(hasArrived(before, before)).toBe(false)
  expect(hasArrived(dashboard({}), dashboard({ bell: { unread: 1 } }))).toBe(true)
})

test('a reload of the unread notifications adds new ones above those already shown', () => {
  const current = dashboard({
    onlyUnread: true,
    notifications: { ...list(2, 1), pages: 2, total: 22 },
  })
  const answer = dashboard({ onlyUnread: true, notifications: list(3) })
  expect(mergeReload(current, answer, false).props).toMatchObject({
    notifications: { ...list(3, 2, 1), pages: 2, total: 22 },
  })
})

test('a submitted form shows its own errors instead of preserved ones', () => {
  const { props } = keepInPlace(dashboard({ errors: { name: 'empty' } }), dashboard({ errors }))
  expect(props.errors).toEqual(errors)
})

test('a submitted form preserves the text that the server gave back to it before only if it fails', () => {
  const kept = { old: { name: 'Ann B' } }
  const current = dashboard(kept)
  expect(keepInPlace(current, dashboard({ errors })).props).toMatchObject({ ...kept, errors })
  expect(keepInPlace(current, dashboard({})).props).not.toHaveProperty('old')
})

test('a reload that leads to another page shows that page unchanged', () => {
  const login = { ...dashboard({}), component: 'Auth/Login', url: '/login' } as const
  expect(mergeReload(dashboard({ errors }, { token: 'app_abc' }), login, true)).toBe(login)
})

test('an answer for another user is shown unchanged, in place of anything of the page’s former user', () => {
  const current = dashboard(
    { ...loggedIn(1), onlyUnread: true, notifications: list(1), recoveryCodes: ['asked'], errors },
    { token: 'app_abc', recoveryCodes: ['told'] },
  )
  const notifications = { onlyUnread: true, notifications: list(2) }
  const answer = dashboard({ ...loggedIn(2), ...notifications })
  const guest = dashboard(notifications)
  expect(keepInPlace(current, answer)).toBe(answer)
  expect(mergeReload(current, answer, false)).toBe(answer)
  expect(mergeReload(current, answer, true)).toBe(answer)
  expect(keepInPlace(current, guest)).toBe(guest)
})

test('the history stores no recovery codes, from the prop or the flash', () => {
  const current = dashboard({ recoveryCodes: ['abcde-fghij'] }, { recoveryCodes: ['abcde-fghij'] })
  expect(asStored(current)).toEqual(dashboard({}))
})

test('the history stores no flash, no errors and no typed values', () => {
  const current = dashboard({ errors, old: { email: 'ann' } }, { recoveryCodes: ['abcde-fghij'] })
  expect(asStored({ ...current, clearHistory: true })).toEqual(dashboard({}))
})
