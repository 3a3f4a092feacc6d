import { users } from '#db/users'
import { photoDisposition, photoTypes } from '../../base/photo.ts'
import { linkHolds } from '../../domain/photos/photo-link.ts'
import { type Answer, noStore, Refusal } from '../answer.ts'
import { corsHeaders } from '../api/cors.ts'
import { rangeIn } from '../node/byte-range.ts'
import { fileStream } from '../node/file-stream.ts'
import { notModified } from '../page/not-modified.ts'
import type { Range, StoredFile } from '../../base/files/files.ts'
import type { App } from '../../app.ts'
import type { Context } from '../context.ts'
import type { Handler } from '../form/form.ts'

/** Sends a stored file for a valid link; without one it answers 404 (contract: Names). */
export const sendFile: Handler = async (c) => {
  const { key = '' } = c.params
  const token = new URLSearchParams(c.search).get('token') ?? ''
  const seconds = linkHolds(c.app, { key, token })
  // Only now: the key becomes part of a path, and only one that we signed is of our own making.
  const file = seconds === undefined ? undefined : await photoFile(c.app, key)
  if (!file) throw new Refusal(404)
  const headers = {
    'Content-Type': typeOf(key),
    'Content-Disposition': photoDisposition(key),
    'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'Cache-Control': `private, max-age=${seconds}`,
    'Accept-Ranges': 'bytes',
    // A key is never reused for other content.
    ETag: `"${key}"`,
    'Last-Modified': file.modified.toUTCString(),
    // Pages of the sites in CORS_ORIGINS get this link from the API, and may load and read the photo by CORS.
    ...corsHeaders(c),
  }
  return notModified(c, headers) ?? fileAnswer(c, file, headers)
}

/** Opens the file if an account has it. Unused files remain until a job deletes them, or after a restore. */
async function photoFile(app: App, key: string): Promise<StoredFile | undefined> {
  return (await users.hasPhoto(app.db, key)) ? app.files.open(key) : undefined
}

type Headers = Readonly<Record<string, string>> & {
  readonly ETag: string
  readonly 'Last-Modified': string
}

function typeOf(key: string): string {
  const types: Readonly<Record<string, string>> = photoTypes
  return types[key.slice(key.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

function fileAnswer(c: Context, file: StoredFile, headers: Headers): Answer {
  const range = asksForPart(c, headers) ? rangeIn(c.header('range'), file.size) : undefined
  if (range === 'none') {
    // A cache must not send it to whoever asks for the whole photo.
    const rangeHeaders = {
      ...headers,
      'Cache-Control': noStore,
      'Content-Range': `bytes */${file.size}`,
    }
    return { status: 416, headers: rangeHeaders, body: '' }
  }
  const { from, to } = range ?? { from: 0, to: file.size - 1 }
  const length = { 'Content-Length': String(to - from + 1) }
  const body = bodyOf(c, file, { from, to })
  if (!range) return { status: 200, headers: { ...headers, ...length }, body }
  const part = { ...length, 'Content-Range': `bytes ${from}-${to}/${file.size}` }
  return { status: 206, headers: { ...headers, ...part }, body }
}

/** Whether the Range header applies: not to a HEAD, and with If-Range only if the validator matches. */
function asksForPart(c: Context, { ETag, 'Last-Modified': modified }: Headers): boolean {
  const validator = c.header('if-range')
  return (
    c.incoming.method === 'GET' && (validator === undefined || [ETag, modified].includes(validator))
  )
}

// Milliseconds: enough for two megabytes at 14 kB a second.
const longest = 150_000

function bodyOf(c: Context, file: StoredFile, range: Range): Answer['body'] {
  if (file.size === 0) return ''
  return fileStream({
    open: () => file.read(range),
    length: range.to - range.from + 1,
    longest,
    failed: (error) => c.log.error('a file was not sent whole', { error }),
  })
}
