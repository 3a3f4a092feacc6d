import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDatabase } from '#db/driver'
import { chromiumOfFile } from '../../../internal/testing/chromium/chromium.ts'
import { addPasskeysAndTokens } from '../../../internal/testing/database/rows.ts'
import { ann } from '../../../internal/testing/people.ts'
import { registerVerified, serveWithProfile } from '../../../internal/testing/chromium/tab.ts'
import { buttons } from '#words/buttons'
import { passkeys } from '#words/settings/passkeys'
import { profile } from '#words/settings/profile'
import { security } from '#words/settings/security'
import { tokens } from '#words/settings/tokens'

const chromium = chromiumOfFile()

test('a screen reader is told the state of each part of the security page, also of one digit', async () => {
  const page = await servePasskeyAndToken()
  await page.goto('/settings/security')
  const { parts } = security
  const nodes = await accessibilityNodes(page)
  const named = nodes.filter(({ role }) => role === 'link').map(({ name }) => name)
  expect(named).toEqual(expect.arrayContaining([`${parts.passkeys} 1`, `${parts.tokens} 1`]))
})

test('a screen reader is told what a dialog says below its question', async () => {
  const page = await servePasskeyAndToken()
  const said: unknown[] = []
  for (const [path, opener] of [
    ['/settings/security', new RegExp(buttons.remove)],
    ['/settings/tokens', new RegExp(tokens.revoke)],
    ['/settings/profile', buttons.deleteAccount],
  ] as const) {
    await page.goto(path)
    await page.getByRole('button', { name: opener }).first().click()
    const nodes = await accessibilityNodes(page)
    said.push(...nodes.filter(({ role }) => role === 'dialog'))
  }
  expect(said).toEqual([
    { role: 'dialog', name: passkeys.remove('Firefox on Linux'), description: passkeys.removeText },
    { role: 'dialog', name: tokens.sure('CI'), description: tokens.sureText },
    { role: 'dialog', name: profile.sure, description: profile.sureText },
  ])
})

/** Opens a browser of Ann, who has a passkey and an API token. */
async function servePasskeyAndToken(): Promise<Page> {
  const { page, app } = await serveWithProfile(chromium())
  await registerVerified(app, page, ann)
  const db = await openDatabase(app.database)
  await addPasskeysAndTokens(db, new Date())
  await db.close()
  return page
}

interface AccessibilityNode {
  readonly role: unknown
  readonly name: unknown
  readonly description: unknown
}

/** Returns what the browser itself tells a screen reader: more than a test can tell from the document. */
async function accessibilityNodes(page: Page): Promise<AccessibilityNode[]> {
  const devTools = await page.context().newCDPSession(page)
  const { nodes } = await devTools.send('Accessibility.getFullAXTree')
  return nodes.map(({ role, name, description }) => ({
    role: role?.value,
    name: name?.value,
    description: description?.value,
  }))
}
