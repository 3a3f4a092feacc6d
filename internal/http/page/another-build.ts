import { paths } from '../../../web/contract/paths.ts'
import { localPath } from '../../base/local-path.ts'
import { type Answer, noStore } from '../answer.ts'
import { vary } from './page.ts'
import type { Context } from '../context.ts'

/** Has a client of an older build, or of another language, load the page again, flash and all (spec: Page delivery 5). */
export function anotherBuild(c: Context): Answer | undefined {
  const version = c.protocol && c.header(c.protocol.version)
  if (!c.protocol || version === undefined || c.method !== 'GET') return undefined
  if (version === c.app.assets.scripts(c.language).version) return undefined
  const location = localPath(c.url) ?? paths.home
  return {
    status: 409,
    headers: { [c.protocol.location]: location, Vary: vary, 'Cache-Control': noStore },
    body: '',
  }
}
