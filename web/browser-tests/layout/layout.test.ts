import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { ann } from '../../../internal/testing/people.ts'
import {
  addPasskeysAndTokens,
  notifyAll,
  setPasskeyNames,
} from '../../../internal/testing/database/rows.ts'
import {
  logIn,
  openProfile,
  registerVerified,
  serveWithProfile,
} from '../../../internal/testing/chromium/tab.ts'
import { overflowOf } from '../../../internal/testing/chromium/overflow.ts'
import { codeAt } from '../../../internal/testing/totp.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { mailSent } from '#words/auth/mail-sent'

const chromium = chromiumOfFile()

test.each(['/', '/login', '/nowhere'])(
  '%s does not scroll in a window tall enough for it',
  async (address) => {
    const { page } = await serveWithProfile(chromium(), {
      viewport: { width: 1280, height: 1000 },
      allowed: /404/,
    })
    await page.goto(address)
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(1000)
  },
)

test('a page that a form leads to has the same layout as after a reload', async () => {
  const { page } = await serveWithProfile(chromium(), { reducedMotion: 'reduce' })
  await page.goto('/')
  await page.locator('.hero a').first().click()
  await page.waitForURL('/register')
  await page.getByLabel(labels.name).fill(ann.name)
  await page.getByLabel(labels.email).fill(ann.email)
  await page.getByLabel(labels.password, { exact: true }).fill(ann.password)
  await page.getByLabel(labels.confirmPassword).fill(ann.password)
  await page.getByRole('button', { name: buttons.createAccount }).click()
  await page.getByRole('heading', { name: mailSent.heading }).waitFor()
  const boxesAfterForm = await boxesOf(page)
  await page.reload()
  expect(boxesAfterForm).toEqual(await boxesOf(page))
})

test('no letter of the dashboard’s heading is cut off at the bottom', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/dashboard')
  const heading = page.getByRole('heading', { level: 1 })
  const hiddenPixels = await heading.evaluate((h1) => h1.scrollHeight - h1.clientHeight)
  expect(hiddenPixels).toBe(0)
})

test('select, date and textarea fields look like a text field, and fit in 320 px at twice the text size', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    viewport: { width: 320, height: 700 },
  })
  await registerVerified(app, page, ann)
  await page.goto('/settings/profile')
  await page.evaluate((long) => {
    document.documentElement.style.fontSize = '200%'
    const [select, multiple, date] = ['select', 'select', 'input'].map((tag) =>
      document.createElement(tag),
    ) as [HTMLSelectElement, HTMLSelectElement, HTMLInputElement]
    multiple.multiple = true
    date.type = 'date'
    for (const each of [select, multiple]) each.add(new Option(long))
    const emailField = document.querySelector('input[name=email]')?.closest('.field')
    for (const field of [select, multiple, date, document.createElement('textarea')]) {
      const wrapper = document.createElement('div')
      wrapper.className = 'field'
      wrapper.append(field)
      emailField?.after(wrapper)
    }
  }, 'Of many words '.repeat(9))
  const styles = await page
    .locator('form:has(select)')
    .locator('input:not([type=hidden]), select, textarea')
    .evaluateAll((fields) =>
      fields.map((field) => {
        const { fontSize, fontFamily, padding, border, borderRadius, background, color, width } =
          getComputedStyle(field)
        const font = [fontSize, fontFamily]
        return [...font, padding, border, borderRadius, background, color, width].join(' ')
      }),
    )
  expect(styles.length).toBeGreaterThan(4)
  expect([...new Set(styles)]).toEqual([styles[0]])
  expect(await overflowOf(page)).toEqual([])
})

test('text at twice the size breaks no word and fits the width of a phone', async () => {
  const viewport = { width: 360, height: 740 }
  const { page, app } = await serveInLargeText({ viewport })
  const brokenWords: string[] = []
  const visit = async (path: string) => {
    await page.goto(path)
    brokenWords.push(...(await findBrokenWords(page)))
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  }
  for (const path of ['/', '/login', '/register']) await visit(path)
  await registerVerified(app, page, ann)
  for (const path of ['/dashboard', '/settings/profile', '/settings/security']) await visit(path)
  expect(brokenWords).toEqual([])
})

test('in German at 320 px, text at twice the size breaks no word of a button and cuts off no dialog heading', async () => {
  const viewport = { width: 320, height: 740 }
  const { page, app } = await serveInLargeText({ viewport, locale: 'de-DE' })
  await registerVerified(app, page, ann)
  const db = await openDatabase(app.database)
  await addPasskeysAndTokens(db, new Date())
  await db.close()
  const brokenWords: string[] = []
  for (const path of ['/dashboard', '/settings/profile', '/settings/security']) {
    await page.goto(path)
    brokenWords.push(...(await findBrokenWords(page, '.button, .step')))
  }
  const hiddenPixels: number[] = []
  for (const dialog of await page.locator('dialog').all()) {
    await dialog.evaluate((element: HTMLDialogElement) => element.showModal())
    brokenWords.push(...(await findBrokenWords(page, 'dialog .button')))
    hiddenPixels.push(await dialog.locator('h3').evaluate(hiddenPixelsOf))
    await dialog.evaluate((element: HTMLDialogElement) => element.close())
  }
  await page.locator('form[action="/settings/two-factor"] button').click()
  await page.locator('#secret').waitFor()
  brokenWords.push(...(await findBrokenWords(page, '.button')))
  expect(brokenWords).toEqual([])
  expect(hiddenPixels.length).toBeGreaterThan(2)
  expect(Math.max(...hiddenPixels)).toBeLessThanOrEqual(1)
})

test('in German at 320 px, text at twice the size breaks no word of a heading', async () => {
  const viewport = { width: 320, height: 740 }
  const { page, app } = await serveInLargeText({ viewport, locale: 'de-DE' })
  const brokenWords: string[] = []
  const visit = async (path: string) => {
    await page.goto(path)
    brokenWords.push(...(await findBrokenWords(page, 'h1')))
  }
  for (const path of ['/register', '/forgot-password']) await visit(path)
  await registerVerified(app, page, ann)
  for (const path of ['profile', 'security', 'tokens', 'appearance'])
    await visit(`/settings/${path}`)
  expect(brokenWords).toEqual([])
})

test('a name that no line can break leaves the open account menu inside the window', async () => {
  const { page, app } = await serveInLargeText({ viewport: { width: 320, height: 740 } })
  await registerVerified(app, page, { ...ann, name: `Z${'\u0300\u035c\u0360'.repeat(30)}` })
  await page.goto('/dashboard')
  await page.locator('.menu summary').click()
  await page.locator('.menu-who').waitFor()
  expect(await overflowOf(page)).toEqual([])
})

test('a passkey whose name no line can break leaves the security page as wide as the window', async () => {
  const { page, app } = await serveInLargeText({ viewport: { width: 320, height: 740 } })
  await registerVerified(app, page, ann)
  const db = await openDatabase(app.database)
  await addPasskeysAndTokens(db, new Date())
  await setPasskeyNames(db, `Z${'\u0300\u035c\u0360'.repeat(30)}`)
  await db.close()
  await page.goto('/settings/security')
  await page.locator('.row .tag').first().waitFor()
  expect(await overflowOf(page)).toEqual([])
})

test('text at twice the size keeps recovery codes inside their frame on the narrowest phones', async () => {
  const { page, app } = await serveInLargeText({ viewport: { width: 320, height: 740 } })
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await page.getByRole('button', { name: buttons.turnOnTwoFactor }).click()
  const secret = (await page.locator('#secret').textContent()) ?? ''
  await page.getByLabel(labels.code, { exact: true }).fill(codeAt(secret, new Date()))
  const list = page.locator('#recovery-codes')
  await list.waitFor()
  expect(await list.evaluate((codes) => codes.scrollWidth - codes.clientWidth)).toBe(0)
  expect(await overflowOf(page)).toEqual([])
})

test('the points of the landing page form one column or three, and the text of its button is centred', async () => {
  const { page } = await serveWithProfile(chromium())
  await page.goto('/')
  const columns: number[] = []
  for (const width of [500, 600, 760, 800, 1280]) {
    await page.setViewportSize({ width, height: 740 })
    const lefts = await page
      .locator('.points li')
      .evaluateAll((points) => points.map((point) => point.getBoundingClientRect().left))
    columns.push(new Set(lefts).size)
  }
  expect(columns).toEqual([1, 1, 1, 3, 3])
  const link = page.locator('.hero .button').first()
  expect(await link.evaluate((element) => getComputedStyle(element).textAlign)).toBe('center')
})

test('the links to all notifications and to unread ones are wide enough for a finger and do not overlap', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/notifications')
  const [allLink, unreadLink] = await page
    .locator('.which-way')
    .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().toJSON() as DOMRect))
  expect(allLink?.width).toBeGreaterThan(36)
  expect(unreadLink?.left).toBeGreaterThanOrEqual(allLink?.right ?? Infinity)
})

test('a focused notification is scrolled into the window with its focus ring', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    viewport: { width: 640, height: 360 },
  })
  await registerVerified(app, page, ann)
  const db = await openDatabase(app.database)
  for (let count = 0; count < 9; count++) await notifyAll(db, new Date())
  await db.close()
  await page.goto('/notifications')
  const lines = page.locator('.line:has(.line-way)')
  const tops: number[] = []
  const bottoms: number[] = []
  await page.locator('.which-way').last().focus()
  const count = await lines.count()
  for (let index = 0; index < count; index++) {
    await page.keyboard.press('Tab')
    const { top, bottom } = await lines.nth(index).evaluate(ringOf)
    tops.push(top)
    bottoms.push(bottom)
  }
  expect(bottoms.length).toBeGreaterThan(8)
  expect(Math.min(...tops)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...bottoms)).toBeLessThanOrEqual(360)
})

test('in German no word of the notifications page is broken on the narrowest phones', async () => {
  const { page, app } = await serveWithProfile(chromium(), { locale: 'de-DE' })
  await registerVerified(app, page, ann)
  const brokenWords: string[] = []
  for (const width of [320, 343, 360]) {
    await page.setViewportSize({ width, height: 740 })
    await page.goto('/notifications')
    brokenWords.push(...(await findBrokenWords(page)))
  }
  expect(brokenWords).toEqual([])
})

test.each([
  ['/login', 360],
  ['/register', 320],
])(
  'text at twice the size keeps the buttons of %s apart in a window %d pixels wide',
  async (path, width) => {
    const { page } = await serveInLargeText({ viewport: { width, height: 740 } })
    await page.goto(path)
    const submitBox = await page.locator('.form > .button').boundingBox()
    const passkeyBox = await page.locator('.passkey > .button').boundingBox()
    expect(
      (passkeyBox?.y ?? 0) - (submitBox?.y ?? 0) - (submitBox?.height ?? 0),
    ).toBeGreaterThanOrEqual(8)
  },
)

test('text at twice the size keeps a hint aligned with its label', async () => {
  const { page, app } = await serveInLargeText({ viewport: { width: 360, height: 740 } })
  await registerVerified(app, page, ann)
  await page.goto('/settings/tokens')
  const offsets = await page.locator('.choices div:has(> .hint)').evaluateAll((choices) =>
    choices.map((choice) => {
      const text = document.createRange()
      const [label, hint] = ['.check span', '.hint'].map((selector) => {
        text.selectNodeContents(choice.querySelector(selector) ?? choice)
        return text.getBoundingClientRect().left
      })
      return (hint ?? 0) - (label ?? 0)
    }),
  )
  expect(new Set(offsets)).toEqual(new Set([0]))
})

test('text at twice the size keeps the lines of the button for choosing a photo centred', async () => {
  const { page, app } = await serveInLargeText({
    viewport: { width: 320, height: 740 },
    locale: 'de-DE',
  })
  await registerVerified(app, page, ann)
  await page.goto('/settings/profile')
  const distances = await page.locator('.photo-field label').evaluate((label) => {
    const text = document.createRange()
    text.selectNodeContents(label)
    const { left, width } = label.getBoundingClientRect()
    return [...text.getClientRects()].map((line) =>
      Math.abs(line.left + line.width / 2 - left - width / 2),
    )
  })
  expect(distances.length).toBeGreaterThan(1)
  expect(Math.max(...distances)).toBeLessThanOrEqual(2)
})

test('rounded corners cut off no focus ring', async () => {
  const { page, app } = await serveWithProfile(chromium(), {
    viewport: { width: 1280, height: 1000 },
  })
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  expect(await findCutRings(page, '.section-way', '')).toEqual([])
  const { page: otherPage } = await openProfile(chromium(), app)
  await otherPage.goto('/login')
  await logIn(otherPage, ann)
  await otherPage.waitForURL('/dashboard')
  await page.goto('/notifications')
  expect(await findCutRings(page, '.line-way', '::after')).toEqual([])
})

test('a tag has the same distance from the name in every row', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  const db = await openDatabase(app.database)
  await addPasskeysAndTokens(db, new Date())
  await db.close()
  await page.goto('/settings/security')
  const gaps = await page.locator('.row-text:has(.tag)').evaluateAll((rows) =>
    rows.map((row) => {
      const [name, tag] = ['strong', '.tag'].map((selector) =>
        row.querySelector(selector)?.getBoundingClientRect(),
      )
      return (tag?.left ?? 0) - (name?.right ?? 0)
    }),
  )
  expect(gaps).toEqual([16, 16])
})

test('panels have a gap between them on a page without a layout of its own', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/dashboard')
  const gaps = await page.evaluate(() => {
    const sections = ['panel', 'panel', ''].map((name) =>
      Object.assign(document.createElement('section'), { className: name, textContent: 'Text' }),
    )
    document.querySelector('main.content')?.append(...sections)
    return sections.map((element) => {
      const above = element.previousElementSibling?.getBoundingClientRect().bottom ?? 0
      return element.getBoundingClientRect().top - above
    })
  })
  expect(gaps.map((gap) => gap >= 16)).toEqual([true, true, true])
})

test('a row capitalizes its own sentences, but not text typed by a user', async () => {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  await page.goto('/settings/security')
  await page.locator('.row-text .sentence').first().waitFor()
  const transforms = await page.evaluate(() => {
    const sentence = document.querySelector('.row-text .sentence')
    sentence?.after(Object.assign(document.createElement('p'), { textContent: 'iPhone notes' }))
    return [sentence, sentence?.nextElementSibling].map(
      (element) => element && getComputedStyle(element, '::first-letter').textTransform,
    )
  })
  expect(transforms).toEqual(['uppercase', 'none'])
})

/** Opens a browser with a default font size of twice the usual. */
async function serveInLargeText(options: Parameters<typeof serveWithProfile>[1]) {
  const profile = await serveWithProfile(chromium(), options)
  const devTools = await profile.context.newCDPSession(profile.page)
  await devTools.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } })
  return profile
}

/** Returns the corners of focus rings that are cut off, by the text of their element and their place. */
function findCutRings(
  page: Page,
  selector: string,
  pseudoElement: '' | '::after',
): Promise<string[]> {
  return page.locator(selector).evaluateAll((elements, pseudoElement) => {
    return elements.flatMap((element) => {
      element.scrollIntoView({ block: 'center', behavior: 'instant' })
      ;(element as HTMLElement).focus({ preventScroll: true })
      const { outlineOffset, outlineWidth } = getComputedStyle(element, pseudoElement)
      const inset = -parseFloat(outlineOffset) - parseFloat(outlineWidth) + 0.5
      const { left, right, top, bottom } =
        (pseudoElement ? element.closest('li') : element)?.getBoundingClientRect() ?? new DOMRect()
      return [left + inset, right - inset].flatMap((x) =>
        [top + inset, bottom - inset]
          .filter((y) => !element.contains(document.elementFromPoint(x, y)))
          .map((y) => `${element.textContent} ${x} ${y}`),
      )
    })
  }, pseudoElement)
}

/** Returns the vertical extent of a focused line, with its focus ring. */
function ringOf(line: Element): { readonly top: number; readonly bottom: number } {
  const link = line.querySelector('.line-way') ?? line
  const { outlineOffset, outlineStyle, outlineWidth } = getComputedStyle(link, '::after')
  if (outlineStyle === 'none') throw new Error('The line has no focus ring.')
  const { top, bottom } = line.getBoundingClientRect()
  const ringWidth = Math.max(0, parseFloat(outlineOffset) + parseFloat(outlineWidth))
  return { top: top - ringWidth, bottom: bottom + ringWidth }
}

/** Returns the position and size of each element of the page. */
function boxesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('#app *')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return `${element.tagName} ${[x, y, width, height].map(Math.round).join(' ')}`
    }),
  )
}

/** Returns how many pixels of an element's content are cut off at the bottom. */
function hiddenPixelsOf({ scrollHeight, clientHeight }: Element): number {
  return scrollHeight - clientHeight
}

/** Returns words that are broken over several lines, except those of addresses and paths. */
function findBrokenWords(page: Page, within = 'body'): Promise<string[]> {
  return page.evaluate((within) => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    const brokenWords: string[] = []
    while (texts.nextNode()) {
      const { currentNode: text } = texts
      const parent = text.parentElement?.closest<HTMLElement>(within) && text.parentElement
      if (!parent?.checkVisibility() || parent.matches('code')) continue
      for (const { 0: word, index } of text.textContent?.matchAll(/\p{L}+/gu) ?? []) {
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) brokenWords.push(word)
      }
    }
    return brokenWords
  }, within)
}
