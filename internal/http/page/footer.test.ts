import { expect, test } from 'vitest'
import { agreement } from '#words/auth/agreement'
import { elementAttributes, withoutComments } from '../../testing/formats/html.ts'
import { ann, bob, registeredBrowser, registration } from '../../testing/people.ts'
import { testApp } from '../../testing/test-app.ts'

const support = { text: 'help@x.test', href: 'mailto:help@x.test' }
const terms = 'https://x.test/terms?a=1&b=2'
const privacy = 'https://x.test/privacy'
const pages = ['/', '/login', '/register', '/no-such-page']

/** Returns the links in a document's footer. */
function below(body: string): (string | undefined)[] {
  const [, footer = ''] = body.split('<footer')
  return elementAttributes(footer.replace(/<\/footer>.*/s, ''), 'a').map(({ href }) => href)
}

test('the footer of every page has the configured links and offers the other languages', async () => {
  const [set, unset] = [await testApp({ config: { links: { support, terms } } }), await testApp()]
  const footers: unknown[] = []
  for (const path of pages) {
    const { body } = await set.browser().document(path)
    const plain = await unset.browser().document(path)
    footers.push([
      below(body),
      below(plain.body),
      plain.body.includes('lang="de">Deutsch</button>'),
    ])
  }
  const hrefs = ['mailto:help@x.test', 'https://x.test/terms?a=1&b=2']
  expect(footers).toEqual(pages.map(() => [hrefs, [], true]))
})

test('the choice of language is good for whoever uses it, also in a document made for another user', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const { body } = await browser.document('/settings/appearance')
  const [, footer = ''] = body.split('<footer')
  const fields = elementAttributes(footer, 'input').map(({ name = '', value = '' }) => [
    name,
    value,
  ])
  await browser.post('/logout', {})
  await browser.post('/register', registration(bob))
  const chosen = await browser.document('/language', {
    ...Object.fromEntries(fields),
    language: 'de',
  })
  expect([chosen.user?.name, chosen.page.props.language]).toEqual([bob.name, 'de'])
})

test('the register form names the configured terms and privacy policy by its button', async () => {
  const sentences: string[] = []
  for (const links of [{ terms, privacy }, { terms }, { privacy }, { support }]) {
    const app = await testApp({ config: { links } })
    const { body } = await app.browser().document('/register')
    const [form = ''] = withoutComments(body).split('<button class="button primary"')
    const hints = form.split('<p class="hint">').map((hint) => hint.replace(/<\/p>.*/s, ''))
    const sentence = hints.find((hint) => hint.includes(agreement.newTab)) ?? ''
    sentences.push(sentence.replaceAll(/<[^>]*>/g, ''))
  }
  const tab = ` ${agreement.newTab}`
  expect(sentences).toEqual([
    `By creating an account you agree to the terms${tab}. The privacy policy${tab} says what happens to your data.`,
    `By creating an account you agree to the terms${tab}.`,
    `The privacy policy${tab} says what happens to your data.`,
    '',
  ])
})

test('a page has no links prop when no links are configured', async () => {
  const [set, unset] = [await testApp({ config: { links: { terms } } }), await testApp()]
  expect((await set.browser().get('/register')).page.props).toMatchObject({ links: { terms } })
  expect((await unset.browser().get('/register')).page.props).not.toHaveProperty('links')
})
