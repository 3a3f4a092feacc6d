import { Refusal } from '../answer.ts'
import { malformed, mostBytes, mostFields, refuseCoded, tooMany } from './form-limits.ts'
import { readParts } from './multipart.ts'
import { withoutSpace } from '../../base/text/optional-space.ts'
import type { Arrived } from '../arrived.ts'
import type { Fields } from './fields.ts'

const types = ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json']

/** Reads a form of any of the three media types (contract: Names). An empty body has no fields. */
export async function readForm(c: Arrived): Promise<Fields> {
  const body = await c.incoming.read(mostBytes)
  if (body.length === 0) return new Map()
  refuseCoded(c)
  const type = c.header('content-type') ?? ''
  switch (mediaType(type)) {
    case 'application/x-www-form-urlencoded':
      return urlencoded(body)
    case 'application/json':
      return fromJson(body)
    case 'multipart/form-data':
      return multipart(body, type)
    default:
      throw new Refusal(415, { Accept: types.join(', ') }, 'Send the form as a form or as JSON.')
  }
}

/** Reads the fields of an API call, one JSON object. An empty body has no fields. */
export async function readJson(c: Arrived): Promise<Fields> {
  const body = await c.incoming.read(mostBytes)
  if (body.length === 0) return new Map()
  refuseCoded(c)
  if (mediaType(c.header('content-type') ?? '') === 'application/json') return fromJson(body)
  throw new Refusal(415, { Accept: 'application/json' })
}

export function mediaType(type: string): string {
  return withoutSpace(String(type.split(';', 1)[0])).toLowerCase()
}

function urlencoded(body: Uint8Array): Fields {
  const text = decoded(body)
  // Counted before parsing: a million fields block the event loop for seconds.
  let count = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count++
  if (count > mostFields) throw tooMany()
  if (!isUtf8Escaped(text)) throw notUtf8()
  return gathered(new URLSearchParams(text))
}

/** Whether all percent-encoding is valid UTF-8. Anything else would be decoded to U+FFFD. */
function isUtf8Escaped(text: string): boolean {
  try {
    // A literal `%` is kept, as by URLSearchParams. Dropping it would join the characters around it.
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'))
    return true
  } catch {
    return false
  }
}

// Values at all depths. A passkey's answer has a few dozen; tens of thousands block the event loop.
const mostParts = 2_000

/** `JSON.parse` passes the source text of each primitive, which its type omits. */
interface JsonWithSource {
  parse(text: string, reviver: (name: string, value: unknown, of: Source) => unknown): unknown
}

interface Source {
  readonly source?: string
}

function fromJson(body: Uint8Array): Fields {
  let value: unknown
  let count = 0
  try {
    value = (JSON as JsonWithSource).parse(decoded(body), (_name, part, { source }) => {
      if (++count > mostParts) throw malformed(`Send at most ${mostParts} values in the JSON.`)
      return asSent(wellFormed(part), source)
    })
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw malformed('The JSON cannot be read.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed('Send the fields as one JSON object.')
  }
  const entries = Object.entries(value)
  if (entries.length > mostFields) throw tooMany()
  return new Map(entries)
}

/** Throws for a lone surrogate: UTF-8 cannot encode it, so all of them would be stored alike. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string' && !value.isWellFormed())
    throw new SyntaxError('half a surrogate pair')
  return value
}

/** Returns a number as its source text if JavaScript would write it differently: it may be a password. */
function asSent(value: unknown, source: string | undefined): unknown {
  return typeof value === 'number' && String(value) !== source ? source : value
}

async function multipart(body: Uint8Array, type: string): Promise<Fields> {
  const pairs = await readParts(type, (into) => into([body]))
  for (const text of pairs.flat()) {
    // The parser replaces invalid bytes with U+FFFD; if that itself was sent, the body is valid UTF-8.
    if (text.includes('\uFFFD')) decoded(body)
    if (!text.isWellFormed()) throw notUtf8()
  }
  return gathered(pairs)
}

/** Groups values by field. */
export function gathered(pairs: Iterable<[string, string]>): Fields {
  const fields = new Map<string, string | string[]>()
  for (const [name, value] of pairs) {
    const earlier = fields.get(name)
    fields.set(name, earlier === undefined ? value : [earlier, value].flat())
  }
  return fields
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decoded(body: Uint8Array): string {
  try {
    return utf8.decode(body)
  } catch {
    throw notUtf8()
  }
}

function notUtf8(): Refusal {
  return malformed('The text is not UTF-8.')
}
