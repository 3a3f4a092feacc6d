/** What JSON can hold. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [name: string]: Json }

/**
 * Converts any value to JSON, six levels deep. An Error keeps name, message, code, stack and cause, an
 * AggregateError its errors.
 */
export function toJson(value: unknown, depth = 6): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint' || typeof value === 'symbol') return String(value)
  if (value === undefined) return 'undefined'
  if (typeof value !== 'object') return '[function]'
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'no date' : value.toISOString()
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if (depth === 0) return '[…]'
  if (value instanceof Error) return errorToJson(value, depth)
  if (value instanceof Set) return toJson([...value], depth)
  if (value instanceof Map) return toJson(Object.fromEntries(value), depth)
  if (Array.isArray(value)) return value.map((item) => toJson(item, depth - 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([name, item]) => [name, toJson(item, depth - 1)]),
  )
}

function errorToJson(error: Error, depth: number): Json {
  const code = 'code' in error && typeof error.code !== 'object' ? { code: error.code } : {}
  const cause = error.cause === undefined ? {} : { cause: error.cause }
  const parts = error instanceof AggregateError ? { errors: error.errors } : {}
  const { name, message } = error
  const rest = toJson({ ...code, ...cause, ...parts }, depth) as { readonly [name: string]: Json }
  return { name, message, stack: frames(error), ...rest }
}

/** Returns the frames of the stack, without the message that V8 puts above them. */
function frames(error: Error): string[] {
  const { stack } = error
  if (typeof stack !== 'string') return []
  const from = stack.startsWith(`${error.name}: ${error.message}`)
    ? `${error.name}: ${error.message}`.length
    : stack.search(/^\s+at /m)
  if (from < 0) return []
  return stack
    .slice(from)
    .split('\n')
    .map((frame) => frame.trim())
    .filter((frame) => frame !== '')
}
