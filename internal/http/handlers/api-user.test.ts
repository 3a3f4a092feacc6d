import { appName } from '../../../web/contract/name.ts'
import { expect, test } from 'vitest'
import { apiWords } from '../../../web/contract/words/api.ts'
import { tokens } from '#db/tokens'
import { users } from '#db/users'
import { makeAccessToken } from '../../base/crypto/access-token.ts'
import { registeredBrowser } from '../../testing/people.ts'
import {
  allThrottles,
  dropThrottles,
  setPhotoKey,
  turnOnTwoFactor,
  verifyEmails,
} from '../../testing/database/rows.ts'
import { addToken, callApi, appWithToken } from '../../testing/tokens.ts'
import type { User } from '../../db/users.ts'
import type { TestApp } from '../../testing/test-app.ts'

const message = { message: expect.stringMatching(/^[A-Z].+\.$/) }
const refusal = { status: 401, json: message, headers: { 'www-authenticate': 'Bearer' } }

/** Sends the same request so many times at once, and counts the answers by status. */
async function statuses(times: number, send: () => Promise<{ status: number }>) {
  const visits = await Promise.all(Array.from({ length: times }, send))
  return Object.fromEntries(
    [...Map.groupBy(visits, ({ status }) => status)].map(([status, list]) => [status, list.length]),
  )
}

test('GET /api/user returns the owner of the token', async () => {
  const { app, user, token } = await appWithToken()
  const visit = await callApi(app, `Bearer ${token}`, { headers: { Accept: 'application/json' } })
  expect(visit).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store, private' },
  })
  expect(visit.json).toEqual({
    id: user.id,
    name: 'Ann',
    email: 'Ann@example.com',
    emailVerifiedAt: null,
    twoFactor: false,
    photo: null,
  })
})

test('GET /api/user returns the time of verification, two-factor login and the absolute URL of the photo', async () => {
  const { app, token } = await appWithToken()
  await verifyEmails(app.db, app.now())
  await turnOnTwoFactor(app.db)
  await setPhotoKey(app.db, 'photos/a.png')
  const visit = await callApi(app, `Bearer ${token}`)
  expect(visit.json).toMatchObject({
    emailVerifiedAt: '2026-01-05T10:00:00.000Z',
    twoFactor: true,
    photo: expect.stringMatching(/^http:\/\/app\.test\/files\/photos\/a\.png\?token=[^&]+$/),
  })
})

test('HEAD is answered like GET, without a body', async () => {
  const { app, token } = await appWithToken()
  const visit = await callApi(app, `Bearer ${token}`, { method: 'HEAD' })
  expect([visit.status, visit.body]).toEqual([200, ''])
  expect(Number(visit.headers['content-length'])).toBeGreaterThan(50)
})

test('the authorization scheme is accepted in any letter case', async () => {
  const { app, token } = await appWithToken()
  const schemes = ['Bearer', 'bearer', 'BEARER', 'bEaReR']
  const visits = await Promise.all(schemes.map((scheme) => callApi(app, `${scheme} ${token}`)))
  expect(visits.map(({ status }) => status)).toEqual([200, 200, 200, 200])
})

test('one or more spaces may separate the scheme from the token', async () => {
  const { app, token } = await appWithToken()
  const gaps = [' ', '  ', ' '.repeat(100)]
  const visits = await Promise.all(gaps.map((gap) => callApi(app, `Bearer${gap}${token}`)))
  expect(visits.map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a missing, malformed or unknown token gets a 401 with WWW-Authenticate: Bearer and counts in no throttle', async () => {
  const { app, token } = await appWithToken()
  const sent = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    token,
    'Bearer  ',
    `Bearer${token}`,
    `Bearer\t${token}`,
    `Bearer \t${token}`,
    `Bearer \u00a0${token}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer ${token},`,
    `Bearer "${token}"`,
    `Bearer token=${token}`,
    `Basic ${Buffer.from(`ann:${token}`).toString('base64')}`,
    `Token ${token}`,
    `Bearer ${token}=`,
    `Bearer ${token.slice(0, -1)}`,
    `Bearer ${token.toUpperCase()}`,
    `Bearer ${token.replace(`${appName}_`, 'other_')}`,
    `Bearer ${token.slice(4)}`,
    `Bearer ${makeAccessToken()}`,
  ]
  const visits = await Promise.all(sent.map((authorization) => callApi(app, authorization)))
  expect(visits).toMatchObject(sent.map(() => refusal))
  expect(await allThrottles(app.db)).toEqual([])
})

test('a header without the form Bearer <token> gets a message with that form, and an unknown token gets another', async () => {
  const { app, token } = await appWithToken()
  const messageFor = async (authorization: string | undefined) =>
    ((await callApi(app, authorization)).json as { message: string }).message
  const formless = [undefined, '', 'Bearer', token, `Token ${token}`, `Bearer ${token}, x`]
  const unknown = ['Bearer x', `Bearer ${token}a`, `bearer ${makeAccessToken()}`]
  expect(await Promise.all(formless.map(messageFor))).toEqual(formless.map(() => apiWords.noToken))
  expect(await Promise.all(unknown.map(messageFor))).toEqual(
    unknown.map(() => apiWords.unknownToken),
  )
})

test('a request with two Authorization headers is refused, even if one has a valid token', async () => {
  const { app, token } = await appWithToken()
  const good = `Bearer ${token}`
  const authorizations = [
    [good, good],
    [good, 'Bearer x'],
    ['Basic x', good],
  ]
  const visits = await Promise.all(
    authorizations.map((Authorization) =>
      // Node sends an array as repeated headers.
      callApi(app, undefined, { headers: { Authorization } as unknown as Record<string, string> }),
    ),
  )
  expect(visits).toMatchObject(authorizations.map(() => refusal))
})

test('a token in the query, in a cookie or in X-Api-Key is not accepted', async () => {
  const { app, token } = await appWithToken()
  const visits = [
    await callApi(app, undefined, { path: `/api/user?access_token=${token}` }),
    await callApi(app, undefined, {
      headers: { Cookie: `${appName}_session=${token}; token=${token}` },
    }),
    await callApi(app, undefined, { headers: { 'X-Api-Key': token } }),
  ]
  expect(visits).toMatchObject(visits.map(() => refusal))
})

test('the session cookie does not authenticate an API request', async () => {
  const { app } = await appWithToken()
  const browser = await registeredBrowser(app, {
    name: 'B',
    email: 'b@x.test',
    password: 'battery staple',
  })
  expect(await browser.send('GET', '/api/user')).toMatchObject(refusal)
})

test('a token with another prefix, length or letter is refused without a lookup in the database', async () => {
  const { app, token } = await appWithToken()
  // From here on any lookup would fail.
  await app.db.close()
  const wrong = [
    `-${token.slice(1)}`,
    token.slice(0, -1),
    `${token}a`,
    token.replace(/_./, '_1'),
    token.replace(/.$/, 'b'),
  ]
  const visits = await Promise.all(wrong.map((text) => callApi(app, `Bearer ${text}`)))
  expect(visits).toMatchObject(wrong.map(() => refusal))
  expect((await callApi(app, `Bearer ${token}`)).status).toBe(500)
})

test('a token is accepted until it expires', async () => {
  const { app, user } = await appWithToken()
  const token = await addToken(app, user, { expiresAt: new Date(app.now().getTime() + 60_000) })
  await app.pass({ seconds: 59 })
  const before = await callApi(app, `Bearer ${token}`)
  await app.pass({ seconds: 1 })
  const after = await callApi(app, `Bearer ${token}`)
  expect(before.status).toBe(200)
  expect(after).toMatchObject(refusal)
})

test('a revoked token and a token of a deleted account get a 401', async () => {
  const { app, user, token } = await appWithToken()
  const second = await addToken(app, user)
  const revoked = await tokens.delete(app.db, { userId: user.id, id: 1 })
  const first = await callApi(app, `Bearer ${token}`)
  const standing = await callApi(app, `Bearer ${second}`)
  await app.db.transaction((tx) => users.delete(tx, { id: user.id, from: user.passwordHash }))
  const deleted = await callApi(app, `Bearer ${second}`)
  expect([revoked, standing.status]).toEqual([true, 200])
  expect([first, deleted]).toMatchObject([refusal, refusal])
})

test('a request refused with a 401 does not count against the limit of another token', async () => {
  const { app, token } = await appWithToken()
  await statuses(5, () => callApi(app, `Bearer ${makeAccessToken()}`))
  const visit = await callApi(app, `Bearer ${token}`)
  expect(visit.headers['x-ratelimit-remaining']).toBe('59')
})

test('a token without the ability gets a 403 that names the ability, and the request is counted', async () => {
  const { app, user } = await appWithToken()
  const token = await addToken(app, user, { abilities: [] })
  const visit = await callApi(app, `Bearer ${token}`)
  expect(visit).toMatchObject({
    status: 403,
    json: { message: expect.stringContaining('user:read') },
    headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' },
  })
  expect(visit.headers).not.toHaveProperty('www-authenticate')
})

test('a token with the ability * may do everything, and any other ability must match exactly', async () => {
  const { app, user } = await appWithToken()
  const ask2 = async (abilities: readonly string[]) =>
    (await callApi(app, `Bearer ${await addToken(app, user, { abilities })}`)).status
  expect([await ask2(['*']), await ask2(['other', 'user:read'])]).toEqual([200, 200])
  expect([await ask2(['user']), await ask2(['user:*']), await ask2(['USER:READ'])]).toEqual([
    403, 403, 403,
  ])
})

test('each token may send 60 requests a minute, and each response says how many are left', async () => {
  const { app, user, token } = await appWithToken()
  const other = await addToken(app, user)
  const first = await callApi(app, `Bearer ${token}`)
  const counted = await statuses(59, () => callApi(app, `Bearer ${token}`))
  await app.pass({ seconds: 20 })
  const over = await callApi(app, `Bearer ${token}`)
  const others = await callApi(app, `Bearer ${other}`)
  await app.pass({ seconds: 40 })
  const later = await callApi(app, `Bearer ${token}`)
  expect(first.headers).toMatchObject({
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '59',
  })
  expect(counted).toEqual({ 200: 59 })
  expect(over).toMatchObject({
    status: 429,
    json: { message: expect.stringContaining('40 seconds') },
    headers: { 'retry-after': '40', 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' },
  })
  expect([others.status, later.status]).toEqual([200, 200])
  expect(later.headers['x-ratelimit-remaining']).toBe('59')
})

test('of eighty simultaneous requests with one token, sixty are answered', async () => {
  const { app, token } = await appWithToken()
  expect(await statuses(80, () => callApi(app, `Bearer ${token}`))).toEqual({ 200: 60, 429: 20 })
})

test('requests refused with a 403 or a 429 count against the limit of the token', async () => {
  const { app, user } = await appWithToken()
  const token = await addToken(app, user, { abilities: [] })
  const counted = await statuses(61, () => callApi(app, `Bearer ${token}`))
  expect(counted).toEqual({ 403: 60, 429: 1 })
  expect(await allThrottles(app.db)).toMatchObject([{ tries: 61 }])
})

test('a request gets a 500 without the user’s email when its throttle cannot be counted', async () => {
  const { app, token } = await appWithToken()
  await dropThrottles(app.db)
  const visit = await callApi(app, `Bearer ${token}`)
  expect(visit).toMatchObject({ status: 500, json: message })
  expect(visit.body).not.toContain('example.com')
})

/** Calls with the token, and returns its last use from its row. */
async function usedAt(app: TestApp, user: User, token: string): Promise<string | undefined> {
  await callApi(app, `Bearer ${token}`)
  await app.awaitWrites()
  return (await tokens.ofUser(app.db, user.id))[0]?.lastUsedAt?.toISOString()
}

test('the last use of a token is written at most once a minute', async () => {
  const { app, user, token } = await appWithToken()
  const use = () => usedAt(app, user, token)
  const first = await use()
  await app.pass({ seconds: 59 })
  const soon = await use()
  await app.pass({ seconds: 1 })
  const later = await use()
  expect([first, soon, later]).toEqual([
    '2026-01-05T10:00:00.000Z',
    '2026-01-05T10:00:00.000Z',
    '2026-01-05T10:01:00.000Z',
  ])
})

test('a last use dated ahead by a wrong clock is overwritten once the clock is right', async () => {
  const { app, user, token } = await appWithToken()
  const use = () => usedAt(app, user, token)
  await app.pass({ hours: 1 })
  const wrong = await use()
  await app.pass({ hours: -1 })
  expect([wrong, await use()]).toEqual(['2026-01-05T11:00:00.000Z', '2026-01-05T10:00:00.000Z'])
})

test('a request with an expired token does not set its last use', async () => {
  const { app, user } = await appWithToken()
  const expired = await addToken(app, user, { expiresAt: app.now() })
  await callApi(app, `Bearer ${expired}`)
  await app.awaitWrites()
  expect(await tokens.ofUser(app.db, user.id)).toMatchObject([
    { lastUsedAt: null },
    { lastUsedAt: null },
  ])
})
