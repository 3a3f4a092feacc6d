import { paths } from '../../../web/contract/paths.ts'
import { siteOf } from '../../base/webauthn/site.ts'
import { json, Refusal, seeOther } from '../answer.ts'
import type { Handler } from '../form/form.ts'

/** Redirects to the page for changing a password (W3C: A Well-Known URL for Changing Passwords). */
export const changePasswordPage: Handler = () => seeOther(paths['security.edit'])

const keptFor = 'public, max-age=3600'

/** Names the page for managing passkeys (W3C: A Well-Known URL for Relying Party Passkey Endpoints). */
export const passkeyEndpoints: Handler = ({ app: { config } }) => {
  if (!siteOf(config.origin)) throw new Refusal(404)
  const page = config.origin + paths['security.edit']
  return json(200, { enroll: page, manage: page }, { 'Cache-Control': keptFor })
}
