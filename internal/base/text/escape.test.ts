import { expect, test } from 'vitest'
import { escapeControls, escapeHtml } from './escape.ts'

test('control characters, line breaks, bidirectional marks and lone surrogates are escaped', () => {
  expect(escapeControls('a\nb\r\x1b[31m\x7f\x85\u2028\u202e\u200b\ud800')).toBe(
    String.raw`a\u000ab\u000d\u001b[31m\u007f\u0085\u2028\u202e\u200b\ud800`,
  )
  expect(escapeControls('\u{e0041}')).toBe(String.raw`\udb40\udc41`)
})

test('all other text stays unescaped', () => {
  const text = String.raw`Zoë "x" \ 用户 😀 é`
  expect(escapeControls(text)).toBe(text)
})

test('joiners in scripts and emoji stay unescaped, and joiners beside other letters are escaped', () => {
  const text = 'می\u200cخواهم नरेन्द्र क्\u200dष 👨\u200d👩\u200d👧'
  expect(escapeControls(text)).toBe(text)
  expect(escapeControls('a\u200db \u200cआ आ\u200d')).toBe(String.raw`a\u200db \u200cआ आ\u200d`)
})

test('HTML special characters and both kinds of quotes are escaped', () => {
  expect(escapeHtml(`<b title="a" id='b'>&amp;</b>`)).toBe(
    '&lt;b title=&quot;a&quot; id=&#39;b&#39;&gt;&amp;amp;&lt;/b&gt;',
  )
})
