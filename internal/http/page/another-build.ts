import { languageNames } from '../../../web/contract/languages.ts'
import { paths } from '../../../web/contract/paths.ts'
import { localPath } from '../../base/network/local-path.ts'
import { redirectAway } from '../reply.ts'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'

/**
 * Makes a client of an older build, or of another language than the chosen one, reload the page. The session
 * keeps its flash for that (spec: Page delivery 5).
 */
export function reloadAnotherBuild(c: Context): Answer | undefined {
  if (c.method !== 'GET' || !isOfAnotherBuild(c)) return undefined
  return redirectAway(c, localPath(c.url) ?? paths.home)
}

/** Whether a client's version is of a build, or a language, that cannot show the page. */
export function isOfAnotherBuild(c: Context): boolean {
  const version = c.protocol && c.header(c.protocol.version)
  return version !== undefined && !hasScripts(c, version)
}

/**
 * Whether a client of this version can show the page. Each language has its own version. It must match the
 * chosen language; without a choice any will do, as Accept-Language alone forces no reload.
 */
function hasScripts({ app: { assets }, languageOfChoice }: Context, version: string): boolean {
  const languages = languageOfChoice ? [languageOfChoice] : languageNames
  return languages.some((language) => assets.scripts(language).version === version)
}
