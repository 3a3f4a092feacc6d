import { paths } from '../../../../web/contract/paths.ts'
import { redirect } from '../../reply.ts'
import type { Handler } from '../../form/form.ts'

/** Redirects to the profile (spec: Route table). */
export const showSettings: Handler = (c) => redirect(c, paths['profile.edit'])
