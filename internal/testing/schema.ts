import { Ajv2020 } from 'ajv/dist/2020.js'

/** Of texts and numbers; one that a schema names and that is not here throws. */
const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  'idn-email': /^[^@\s]+@[^@\s]+$/,
  int64: { type: 'number', validate: Number.isSafeInteger },
  uri: /^https?:\/\/[^\s]+$/,
} as const

const ajv = new Ajv2020({ allErrors: true, formats, strictTypes: false })
// Where references lead.
ajv.addKeyword('components')

/** What of a value is not as a JSON schema of an OpenAPI document says, each with where it stands. */
export function faultsOf(value: unknown, schema: object, document: object, at = ''): string[] {
  const judge = ajv.compile(closed({ ...schema, components: Reflect.get(document, 'components') }))
  if (judge(value)) return []
  return (judge.errors ?? []).map(
    ({ instancePath, message, params }) =>
      `${at}${instancePath} ${message}: ${JSON.stringify(params)}`,
  )
}

/** Clients are to ignore what is not described, but all that there is should be. Without any, all is left open. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, inside: unknown) =>
    isObjectSchema(inside) ? { unevaluatedProperties: false, ...inside } : inside,
  ) as object
}

/** And no list of properties, of which one may be called `properties` and another `type`. */
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
