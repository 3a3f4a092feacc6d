import { expect, test } from 'vitest'
import { flashWords } from '#words/flash'
import { ann, logIn, registeredBrowser } from '../../testing/people.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'

// RFC 6265: of name, value and attributes.
const longest = 4096

const sites = [
  { https: false, origin: 'http://app.test' },
  { https: true, origin: 'https://app.test' },
]

/** Returns the length of the cookie after a failed login with this email, and what the form then shows. */
async function afterTyping(app: TestApp, email: string) {
  const browser = app.browser()
  const { headers } = await browser.document('/login', { email }, { stay: true })
  const { errors, page } = await browser.document('/login')
  return { length: headers['set-cookie']?.[0]?.length ?? 0, errors, old: page.props.old }
}

test.each(sites)(
  'a session is stored whole in a cookie of up to 4 KB, and a longer one is cut at $origin',
  async (config) => {
    const app = await testApp({ config })
    // Two bytes each.
    const short = 'é'.repeat(1000)
    const { length } = await afterTyping(app, short)
    // Base64 turns three bytes into four characters.
    const room = 3 * Math.floor((longest - length) / 4)
    const most = short + 'x'.repeat(room)
    const fitting = await afterTyping(app, most)
    const cut = await afterTyping(app, `${most}xxx`)
    expect(fitting.old).toEqual({ email: most })
    expect(fitting.length).toBeLessThanOrEqual(longest)
    expect(fitting.length).toBeGreaterThan(longest - 4)
    expect(cut.length).toBeLessThan(length)
    expect([cut.old, cut.errors]).toEqual([undefined, fitting.errors])
  },
)

test('a remembered page that fills the cookie gives way to a flash, and a shorter one is preserved', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const visits = [2930, 2000].map(async (length) => {
    const browser = app.browser()
    const wanted = `/dashboard?a=${'x'.repeat(length)}`
    const sent = await browser.get(wanted, { stay: true })
    const { flash } = await browser.post('/forgot-password', { email: ann.email })
    const { location } = await logIn(browser, ann, { stay: true })
    const { length: size } = sent.headers['set-cookie']?.[0] ?? ''
    return [size > longest - 50, flash.success, location === wanted]
  })
  const [full, half] = await Promise.all(visits)
  expect(full).toEqual([true, flashWords.resetSent, false])
  expect(half).toEqual([false, flashWords.resetSent, true])
})
