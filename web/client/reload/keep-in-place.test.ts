import { expect, test } from 'vitest'
import { keepable } from '../core/entries.ts'
import { keepInPlace, mergeReload } from './keep-in-place.ts'
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

test('a field that was asked for and is right now loses its error, another keeps its own', () => {
  const before = { name: 'Fill in this field.', email: 'taken', password: 'short' }
  expect(mergeErrors(before, ['name', 'email'], { email: 'malformed' })).toEqual({
    email: 'malformed',
    password: 'short',
  })
})

test('a partial reload keeps the props that it did not ask for', () => {
  const current = dashboard({ kept: 1, renewed: 1 })
  const answer = dashboard({ renewed: 2, bell: { unread: 3 } })
  const { props } = mergeReload(current, answer, true)
  expect(props).toMatchObject({ kept: 1, renewed: 2, bell: { unread: 3 } })
})

test('a whole reload drops a prop that the page no longer has', () => {
  const { props } = mergeReload(dashboard({ gone: 1 }), dashboard({}), false)
  expect(props).not.toHaveProperty('gone')
})

test('a reload leaves the errors of a form that is being filled in', () => {
  expect(mergeReload(dashboard({ errors }), dashboard({}), false).props.errors).toEqual(errors)
})

test('flash shown in place stays until the page is left, and a toast is told once', () => {
  const current = dashboard({}, { success: 'Done.', error: 'But.', token: 'app_abc' })
  expect(mergeReload(current, dashboard({}), true).flash).toEqual({ token: 'app_abc' })
})

test('recovery codes that were asked for stay until the page is left, as do those of a flash', () => {
  const current = dashboard({ recoveryCodes: ['asked'] }, { recoveryCodes: ['told'] })
  expect(mergeReload(current, dashboard({}), false)).toEqual(current)
  expect(keepInPlace(current, dashboard({}))).toEqual(current)
  const made = dashboard({}, { recoveryCodes: ['new'] })
  expect(keepInPlace(current, made).flash).toEqual(made.flash)
})

test('of those that are unread what is shown stays, below what has arrived since', () => {
  const current = dashboard({
    onlyUnread: true,
    notifications: { ...list(2, 1), pages: 2, total: 22 },
  })
  const answer = dashboard({ onlyUnread: true, notifications: list(3) })
  expect(mergeReload(current, answer, false).props).toMatchObject({
    notifications: { ...list(3, 2, 1), pages: 2, total: 22 },
  })
})

test('a form that was sent shows its own errors, whatever is kept in place', () => {
  const { props } = keepInPlace(dashboard({ errors: { name: 'empty' } }), dashboard({ errors }))
  expect(props.errors).toEqual(errors)
})

test('a reload that leads to another page shows that page as it came', () => {
  const login = { ...dashboard({}), component: 'Auth/Login', url: '/login' } as const
  expect(mergeReload(dashboard({ errors }, { token: 'app_abc' }), login, true)).toBe(login)
})

test('the history keeps no recovery codes, however they were shown', () => {
  const current = dashboard({ recoveryCodes: ['abcde-fghij'] }, { recoveryCodes: ['abcde-fghij'] })
  expect(keepable(current)).toEqual(dashboard({}))
})

test('the history keeps neither flash nor errors nor what was typed', () => {
  const current = dashboard({ errors, old: { email: 'ann' } }, { recoveryCodes: ['abcde-fghij'] })
  expect(keepable({ ...current, clearHistory: true })).toEqual(dashboard({}))
})
