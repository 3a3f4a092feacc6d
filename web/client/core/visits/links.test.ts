import { expect, test } from 'vitest'
import { isOurs, isPlainClick } from './links.ts'

const here = new URL('https://app.example/settings?tab=1')
const plain = { button: 0, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false }

/** A link as the browser resolves it; `attributes` are those besides `href`. */
function link(href: string, attributes: Readonly<Record<string, string>> = {}) {
  const { origin, pathname, search, hash } = new URL(href, here)
  const names = new Set(Object.keys(attributes).map((name) => `[${name}]`))
  const matches = (any: string) => any.split(',').some((one) => names.has(one))
  return { origin, pathname, search, hash, matches }
}

test('the client follows a link to a page of this site, with or without a fragment', () => {
  expect(isOurs(link('/login'), here)).toBe(true)
  expect(isOurs(link('/login#top'), here)).toBe(true)
  expect(isOurs(link('?tab=1'), here)).toBe(true)
})

test('a link to a part of the current page is left to the browser', () => {
  expect(isOurs(link('#main'), here)).toBe(false)
})

test('a link to another site, a mail address, another window or a file is left to the browser', () => {
  expect(isOurs(link('https://other.example/login'), here)).toBe(false)
  expect(isOurs(link('http://app.example/login'), here)).toBe(false)
  expect(isOurs(link('mailto:ann@example.com'), here)).toBe(false)
  expect(isOurs(link('/login', { target: '_blank' }), here)).toBe(false)
  expect(isOurs(link('/file', { download: '' }), here)).toBe(false)
  expect(isOurs(link('/file', { 'data-native': '' }), here)).toBe(false)
})

test('a click that opens a new tab or window is left to the browser', () => {
  expect(isPlainClick(plain)).toBe(true)
  expect(isPlainClick({ ...plain, button: 1 })).toBe(false)
  expect(isPlainClick({ ...plain, ctrlKey: true })).toBe(false)
  expect(isPlainClick({ ...plain, metaKey: true })).toBe(false)
  expect(isPlainClick({ ...plain, shiftKey: true })).toBe(false)
})
