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
// Where references lead.
ajv.addKeyword('components')

/** How a value differs from a JSON schema of an OpenAPI document: a line each, with its place. */
export function faultsOf(value: unknown, schema: object, document: object, at = ''): string[] {
  const judge = ajv.compile(closed({ ...schema, components: Reflect.get(document, 'components') }))
  if (judge(value)) return []
  return (judge.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${at}${instancePath} ${message}: ${JSON.stringify(params)}`,
  )
}

/**
 * The schema with no properties allowed but those it describes: clients must ignore others, but the document should
 * describe all. An object of which no property is described stays open.
 */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, inside: unknown) =>
    isObjectSchema(inside) ? { unevaluatedProperties: false, ...inside } : inside,
  ) as object
}

/**
 * Whether this is the schema of an object, and not a list of properties of which some are named `properties` or `type`.
 */
function isObjectSchema(inside: unknown): inside is object {
  const { properties, type } = Object(inside) as { properties?: unknown; type?: unknown }
  return properties !== undefined && (typeof type === 'string' || Array.isArray(type))
}

/** What a `$ref` of a document points to. */
export function pointed(ref: string, document: object): unknown {
  const steps = ref.replace(/^#\//, '').split('/')
  const found = steps.reduce<unknown>((inside, step) => Reflect.get(Object(inside), step), document)
  if (found === undefined) throw new Error(`${ref} points nowhere`)
  return found
}
