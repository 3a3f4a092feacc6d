import { languageNames } from '../../../web/contract/languages.ts'
import { paths } from '../../../web/contract/paths.ts'
import { localPath } from '../../base/local-path.ts'
import { redirectAway } from '../reply.ts'
import type { Answer } from '../answer.ts'
import type { Context } from '../context.ts'

/** Has a client of an older build, or of another language than was chosen, load the page again, flash and all (spec: Page delivery 5). */
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
 * Whether the client of a version can show the page. Another language is another version, but only where one was chosen:
 * by what a browser asks for alone no page is loaded anew.
 */
function hasScripts({ app: { assets }, languageOfChoice }: Context, version: string): boolean {
  const languages = languageOfChoice ? [languageOfChoice] : languageNames
  return languages.some((language) => assets.scripts(language).version === version)
}
