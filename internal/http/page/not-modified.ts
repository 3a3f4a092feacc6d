import { withoutSpace } from '../../base/text/optional-space.ts'
import type { Answer } from '../answer.ts'
import type { Arrived } from '../arrived.ts'

type Headers = Readonly<Record<string, string>> & {
  readonly ETag: string
  readonly 'Last-Modified'?: string
}

/** Answers 304 if the browser's copy is current (RFC 9110, 13.2.2); undefined if it is to be sent. */
export function notModified(c: Arrived, headers: Headers): Answer | undefined {
  return isKnown(c, headers) ? { status: 304, headers, body: '' } : undefined
}

function isKnown(c: Arrived, { ETag, 'Last-Modified': modified = '' }: Headers): boolean {
  const tags = c.header('if-none-match')
  if (tags !== undefined) {
    const knownTags = tags.split(',').map((tag) => opaque(withoutSpace(tag)))
    return knownTags.some((tag) => tag === opaque(ETag) || tag === '*')
  }
  return Date.parse(modified) <= Date.parse(c.header('if-modified-since') ?? '')
}

/** Returns a tag without its weakness, for weak comparison (8.8.3.2). */
function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}
