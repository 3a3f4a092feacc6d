import { languageNames } from '../../../web/contract/languages.ts'
import { paths } from '../../../web/contract/paths.ts'
import { localPath } from '../../base/network/local-path.ts'
import { redirectAway } from '../reply.ts'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'

/**
 * Has a client of an older build, or of another language than was chosen, load the page anew. The session keeps its
 * flash for that (spec: Page delivery 5).
 */
export function anotherBuild(c: Context): Answer | undefined {
  if (c.method !== 'GET' || !isOfAnotherBuild(c)) return undefined
  return redirectAway(c, localPath(c.url) ?? paths.home)
}

/** Whether the version that a client sends is of a build, or a language, that cannot show the page. */
export function isOfAnotherBuild(c: Context): boolean {
  const version = c.protocol && c.header(c.protocol.version)
  return version !== undefined && !hasScripts(c, version)
}

/**
 * Whether the client of a version can show the page. Each language has a version of its own. It must be that of the
 * language that was chosen; where none was, any will do: what a browser asks for by itself has no page load anew.
 */
function hasScripts({ app: { assets }, languageOfChoice }: Context, version: string): boolean {
  const languages = languageOfChoice ? [languageOfChoice] : languageNames
  return languages.some((language) => assets.scripts(language).version === version)
}
