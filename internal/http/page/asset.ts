import { type Answer, Refusal } from '../answer.ts'
import { accepts } from './compress.ts'
import { notModified } from './not-modified.ts'
import type { Asset } from '../../base/program/assets.ts'
import type { Arrived } from '../arrived.ts'

/** Answers with an asset of the pages; undefined for any other path, or a method other than GET and HEAD. */
export function assetAnswer(c: Arrived): Answer | undefined {
  const asset = c.method === 'GET' ? assetAt(c) : undefined
  return asset && answerWith(c, asset)
}

/** Returns the refusal for a path without a route. */
export function refusalAt(c: Arrived): Refusal {
  return assetAt(c) ? new Refusal(405, { Allow: 'GET, HEAD' }) : new Refusal(404)
}

function assetAt(c: Arrived): Asset | undefined {
  return c.path.startsWith('/assets/') ? c.app.assets.find(c.path) : undefined
}

function answerWith(c: Arrived, asset: Asset): Answer {
  const encoding = (['br', 'gzip'] as const).find((name) => asset[name] && accepts(c, name))
  // Another encoding is another representation, with its own tag (RFC 9110, 8.8.3.3).
  const etag = encoding ? asset.etag.replace(/"$/, `-${encoding}"`) : asset.etag
  const headers = {
    'Content-Type': asset.type,
    // The path contains a hash of the content.
    'Cache-Control': 'public, max-age=31536000, immutable',
    Vary: 'Accept-Encoding',
    ETag: etag,
    ...(encoding && { 'Content-Encoding': encoding }),
  }
  const body = (encoding && asset[encoding]) ?? asset.identity
  return notModified(c, headers) ?? { status: 200, headers, body }
}
