import { expect, test } from 'vitest'
import { escapeControls } from './escape.ts'

test('controls, line ends, bidirectional marks and half pairs are escaped', () => {
  expect(escapeControls('a\nb\r\x1b[31m\x7f\x85\u2028\u202e\u200b\ud800')).toBe(
    String.raw`a\u000ab\u000d\u001b[31m\u007f\u0085\u2028\u202e\u200b\ud800`,
  )
  expect(escapeControls('\u{e0041}')).toBe(String.raw`\udb40\udc41`)
})

test('every other text stays as it is', () => {
  const text = String.raw`Zoë "x" \ 用户 😀 é`
  expect(escapeControls(text)).toBe(text)
})
