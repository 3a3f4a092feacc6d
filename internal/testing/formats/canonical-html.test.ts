import { expect, test } from 'vitest'
import { canonicalHtml } from './canonical-html.ts'

test('HTML that is written differently but means the same has the same canonical form', () => {
  const one = `<p id="a" class="b ">It's<!-- --> 1 &lt; 2 <br/><input required><i class></i></p>`
  const other = '<p class="b" id="a">It&#39;s<!--[--> 1 &lt; 2 <br><input required=""><i></i></p>'
  expect(canonicalHtml(one)).toEqual(canonicalHtml(other))
  expect(canonicalHtml('<input type="text" value="">')).toEqual(
    canonicalHtml('<input type="text">'),
  )
  expect(canonicalHtml('<svg viewBox="0 0 1 1"><path d="M0 0"/></svg>')).toEqual(
    canonicalHtml('<svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>'),
  )
})

test('HTML with different meanings has different canonical forms', () => {
  const others = [
    '<p class="a">one two</p>',
    '<p class="a b">one two</p>',
    '<p class="a" id="">one two</p>',
    '<p class="a">one  two</p>',
    '<p class="a"> one two</p>',
    '<p class="a">one <b>two</b></p>',
    '<p class="a">one <b></b>two</p>',
    '<b class="a">one two</b>',
    '<input type="checkbox" value="">',
    '<input type="checkbox">',
  ].map((html) => canonicalHtml(html).join('\n'))
  expect(new Set(others).size).toBe(others.length)
})
