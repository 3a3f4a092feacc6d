import { tokens } from '#db/tokens'
import { makeAccessToken } from '../base/crypto/access-token.ts'
import { sha256 } from '../base/crypto/random.ts'
import { addUser, ann } from './database/user-rows.ts'
import type { User } from '../db/users.ts'
import { testApp, type TestApp } from './test-app.ts'
import type { Config } from '../base/settings/config.ts'
import type { ApiRoute } from '../http/router.ts'
import type { OpenApp } from '../open-app.ts'

/** Adds an API token to an account, and returns it in plain text. */
export async function addToken(
  app: TestApp,
  user: User,
  { abilities = ['user:read'], expiresAt = null }: Partial<NewToken> = {},
): Promise<string> {
  const token = makeAccessToken()
  await app.db.transaction((tx) =>
    tokens.insert(tx, {
      userId: user.id,
      hash: sha256(token),
      name: 'CI',
      abilities: JSON.stringify(abilities),
      expiresAt,
      at: app.now(),
      most: 500,
    }),
  )
  return token
}

interface NewToken {
  readonly abilities: readonly string[]
  readonly expiresAt: Date | null
}

/** Opens an app with Ann, who has never logged in, and a token of hers that reads her user. */
export async function appWithToken(
  options: {
    readonly config?: Partial<Config>
    readonly routes?: readonly ApiRoute[]
    readonly serverApp?: (app: OpenApp) => OpenApp
  } = {},
) {
  const app = await testApp(options)
  const user = await addUser(app.db, ann)
  const token = await addToken(app, user)
  return { app, user, token }
}

/** Calls the API like a program, with a JSON body. */
export function callApi(
  app: TestApp,
  authorization: string | undefined,
  { method = 'GET', path = '/api/user', headers = {}, body }: Partial<ApiCall> = {},
) {
  const allHeaders = {
    ...(authorization !== undefined && { Authorization: authorization }),
    ...headers,
  }
  const content = body && { type: 'application/json', body: JSON.stringify(body) }
  return app.browser().send(method, path, { headers: allHeaders, ...content })
}

interface ApiCall {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}
