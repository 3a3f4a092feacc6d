import { expect, test } from 'vitest'
import { users } from '#db/users'
import { errorWords } from '#words/errors'
import { apiErrors, apiWords } from '../../../web/contract/words/api.ts'
import { asCaller } from '../../domain/tokens/as-caller.ts'
import { beforeNextTransaction } from '../../testing/app-hooks.ts'
import { ann } from '../../testing/people.ts'
import { allUsers } from '../../testing/database/rows.ts'
import { callApi, appWithToken } from '../../testing/tokens.ts'
import { deleteTokens } from '../../testing/database/token-rows.ts'
import { json } from '../answer.ts'
import { apiAction } from '../form/form.ts'
import { personName, required, sameAs } from '../form/rules.ts'
import { invalidCall, tooManyCalls } from './failed-call.ts'
import { unauthorized } from './unauthorized.ts'
import type { ApiRoute } from '../router.ts'

/** Renames the token's user, which no real route of the API does. */
const renaming: ApiRoute = {
  method: 'POST',
  name: 'api.user',
  ability: 'user:read',
  handler: apiAction(
    { name: [required, personName], again: [sameAs('name')] },
    async (c, token, { name }, sent) => {
      if (name === 'Late Ann') return tooManyCalls(c, 30)
      const done = await asCaller(c.app, token, async (tx, user) => {
        if (name === user.name) return { result: 'taken' as const }
        await users.updateProfile(tx, { ...user, name })
        return { result: 'saved' as const }
      })
      if (done.result === 'ended') return unauthorized(c, 'token ended')
      if (done.result === 'taken') return invalidCall(c, { name: c.words.errors.taken })
      return json(201, { name, flag: sent.get('flag') })
    },
  ),
}

const fields = { name: ' Ann B. ', again: 'Ann B.' }

async function sent(body: string, headers: Record<string, string> = {}) {
  const { app, token } = await appWithToken({ routes: [renaming] })
  const allHeaders = { Authorization: `Bearer ${token}`, ...headers }
  const type = headers['Content-Type'] ?? 'application/json'
  const visit = await app.browser().send('POST', '/api/user', { type, body, headers: allHeaders })
  return { visit, names: (await allUsers(app.db)).map(({ name }) => name) }
}

test('an API handler gets its fields validated as a form’s handler does, and also every field that was sent', async () => {
  const { visit, names } = await sent(JSON.stringify({ ...fields, flag: false }))
  expect([visit.status, visit.json]).toEqual([201, { name: 'Ann B.', flag: false }])
  expect(names).toEqual(['Ann B.'])
})

test('an API call with invalid fields gets a 422 with an error for each field, and writes nothing', async () => {
  const { visit, names } = await sent(JSON.stringify({ name: 'A'.repeat(256), again: 'Ann' }))
  const errors = { name: errorWords.nameLong, again: errorWords.passwordMismatch }
  expect([visit.status, visit.json]).toEqual([422, { message: errorWords.invalid, errors }])
  expect(visit.headers).toMatchObject({ 'content-type': 'application/json', vary: 'Origin' })
  expect(names).toEqual([ann.name])
})

test('an API handler can refuse with a 422 and errors by field, or with a 429 and Retry-After', async () => {
  const taken = await sent(JSON.stringify({ name: ann.name, again: ann.name }))
  const late = await sent(JSON.stringify({ name: 'Late Ann', again: 'Late Ann' }))
  const errors = { name: errorWords.taken }
  expect([taken.visit.status, taken.visit.json]).toEqual([
    422,
    { message: errorWords.invalid, errors },
  ])
  expect([late.visit.status, late.visit.json]).toEqual([429, { message: apiWords.wait(30) }])
  expect(late.visit.headers['retry-after']).toBe('30')
})

test('an API call without a body is validated as one without fields', async () => {
  const { visit } = await sent('')
  expect(visit).toMatchObject({ status: 422, json: { errors: { name: errorWords.required } } })
})

test('the API reports errors in English, whatever language the client asks for', async () => {
  const { visit } = await sent('{}', { 'Accept-Language': 'de' })
  expect(visit.json).toMatchObject({ message: errorWords.invalid })
})

test('an API body that is not a JSON object gets a 400, another type a 415, one over 64 KiB a 413', async () => {
  const calls = await Promise.all([
    sent('{'),
    sent('["name"]'),
    sent('name=Ann', { 'Content-Type': 'application/x-www-form-urlencoded' }),
    sent('{}', { 'Content-Encoding': 'gzip' }),
    sent('{}'.padEnd(64 * 1024 + 1)),
  ])
  const visits = calls.map(({ visit }) => visit)
  expect(visits.map(({ status }) => status)).toEqual([400, 400, 415, 415, 413])
  expect(visits[2]).toMatchObject({
    headers: { accept: 'application/json' },
    json: { message: apiErrors[415] },
  })
  expect(calls.flatMap(({ names }) => names)).toEqual(calls.map(() => ann.name))
})

test('an API call whose token is revoked during the call gets a 401 and writes nothing', async () => {
  const { app, token } = await appWithToken({
    routes: [renaming],
    serverApp: (opened) => beforeNextTransaction(opened, () => deleteTokens(opened.db)),
  })
  const visit = await callApi(app, `Bearer ${token}`, { method: 'POST', body: fields })
  expect([visit.status, visit.json]).toEqual([401, { message: apiWords.unknownToken }])
  expect(visit.headers['www-authenticate']).toBe('Bearer')
  expect((await allUsers(app.db)).map(({ name }) => name)).toEqual([ann.name])
  expect(app.logLines).toContainEqual(
    expect.objectContaining({
      message: 'API call refused',
      facts: expect.objectContaining({ why: 'token ended', token: 1, user: 1 }),
    }),
  )
})
