/**
 * Returns a target as a normalised path of this site with its query (security rule 8); undefined if it might
 * lead a browser to another site. The path may have only characters that our own routes have.
 */
export function localPath(target: string): string | undefined {
  if (!isLocal(target)) return undefined
  const url = URL.parse(target, base)
  if (url?.origin !== base) return undefined
  // Checked again: removing dot segments can bring two slashes to the front (`/.//evil`).
  const normal = url.pathname + url.search + url.hash
  return isLocal(normal) ? normal : undefined
}

/** Returns the path of this site that a Referer names; undefined if it is of another site or none. */
export function refererPath(referer: string | undefined, origin: string): string | undefined {
  if (!referer?.startsWith(`${origin}/`)) return undefined
  return localPath(referer.slice(origin.length))
}

const base = 'http://localhost'

// One slash, then what `pathOf` can write; no percent-encoded slash, backslash or control character. Query
// and fragment may have any visible ASCII but a backslash.
const local =
  /^\/(?!\/)(?:[A-Za-z0-9\-._~!*'()/]|%(?!2f|5c|[01][0-9a-f]|7f)[0-9a-f]{2})*(?:[?#](?:(?!\\)[!-~])*)?$/i

function isLocal(target: string): boolean {
  return target.length <= 8192 && local.test(target)
}
