import { expect, test } from 'vitest'
import { testApp } from '../testing/test-app.ts'
import { json } from './answer.ts'
import { everyone } from './guards.ts'
import { rowIdIn } from './row-id.ts'
import type { Context } from './context.ts'
import type { Route } from './router.ts'

/** A path with two fields, of which the second names a row. */
const route: Route = {
  method: 'GET',
  name: 'verification.verify',
  who: everyone,
  handler: (c: Context) => json(200, { row: rowIdIn(c, 'token') }),
}

test('the ID of a row is read from any field of a path; other text there is a 404', async () => {
  const app = await testApp({ routes: [route] })
  const asked = ['7', '07', '-7', 'seven'].map((text) =>
    app.browser().send('GET', `/verify-email/1/${text}`),
  )
  const visits = await Promise.all(asked)
  expect(visits.map(({ status }) => status)).toEqual([200, 404, 404, 404])
  expect(visits[0]?.json).toEqual({ row: 7 })
})
