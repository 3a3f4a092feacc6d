import { Ajv2020 } from 'ajv/dist/2020.js'

/** Formats of texts and numbers in schemas; a format that is not listed here throws. */
const formats = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  'idn-email': /^[^@\s]+@[^@\s]+$/,
  int64: { type: 'number', validate: Number.isSafeInteger },
  uri: /^https?:\/\/[^\s]+$/,
} as const

const ajv = new Ajv2020({ allErrors: true, formats, strictTypes: false })
// The target of references.
ajv.addKeyword('components')

/** Returns how a value differs from a JSON schema of an OpenAPI document: one line per difference, with its place. */
export function faultsOf(value: unknown, schema: object, document: object, at = ''): string[] {
  const validate = ajv.compile(
    closed({ ...schema, components: Reflect.get(document, 'components') }),
  )
  if (validate(value)) return []
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${at}${instancePath} ${message}: ${JSON.stringify(params)}`,
  )
}

/**
 * Returns the schema without additional properties: clients must ignore those, but the document should describe all.
 * An object without described properties stays open.
 */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, part: unknown) =>
    isObjectSchema(part) ? { unevaluatedProperties: false, ...part } : part,
  ) as object
}

/**
 * Whether this is an object's schema rather than a list of properties, some of which are named `properties` or `type`.
 */
function isObjectSchema(inside: unknown): inside is object {
  const { properties, type } = Object(inside) as { properties?: unknown; type?: unknown }
  return properties !== undefined && (typeof type === 'string' || Array.isArray(type))
}

/** Returns the target of a document's `$ref`. */
export function resolveReference(ref: string, document: object): unknown {
  const steps = ref.replace(/^#\//, '').split('/')
  const target = steps.reduce<unknown>(
    (inside, step) => Reflect.get(Object(inside), step),
    document,
  )
  if (target === undefined) throw new Error(`${ref} points nowhere`)
  return target
}
