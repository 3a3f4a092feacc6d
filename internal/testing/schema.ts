interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly description?: string
}

const known = new Set(['$ref', 'type', 'format', 'required', 'properties', 'items', 'description'])

/** What of a value is not as a JSON schema says, each with where it stands; throws at a keyword that it does not know. */
export function faultsOf(value: unknown, schema: Schema, document: object, at = ''): string[] {
  const strange = Object.keys(schema).filter((keyword) => !known.has(keyword))
  if (strange.length > 0)
    throw new Error(`${at} has keywords that are not checked: ${strange.join(', ')}`)
  if (schema.$ref !== undefined)
    return faultsOf(value, pointed(schema.$ref, document) as Schema, document, at)
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some((type) => isOf(value, type)))
    return [`${at} is no ${types.join(' or ')}`]
  if (typeof value === 'string' && !isFormatted(value, schema.format))
    return [`${at} is no ${schema.format}`]
  if (Array.isArray(value))
    return value.flatMap((one, i) => faultsOf(one, schema.items ?? {}, document, `${at}/${i}`))
  if (typeof value !== 'object' || value === null) return []
  return faultsOfObject(value, schema, document, at)
}

/** What a `$ref` of a document points to. */
export function pointed(ref: string, document: object): unknown {
  const steps = ref.replace(/^#\//, '').split('/')
  const found = steps.reduce<unknown>((inside, step) => Reflect.get(Object(inside), step), document)
  if (found === undefined) throw new Error(`${ref} points nowhere`)
  return found
}

function faultsOfObject(value: object, schema: Schema, document: object, at: string): string[] {
  const { required = [], properties } = schema
  const missing = required.filter((name) => !Object.hasOwn(value, name))
  // Clients are to ignore what is not described, but all that there is should be. Without any, all is left open.
  const more = Object.keys(properties ? value : {}).filter((name) => !(name in (properties ?? {})))
  const inside = Object.entries(properties ?? {}).filter(([name]) => Object.hasOwn(value, name))
  return [
    ...missing.map((name) => `${at}/${name} is missing`),
    ...more.map((name) => `${at}/${name} is not described`),
    ...inside.flatMap(([name, own]) =>
      faultsOf(Reflect.get(value, name), own, document, `${at}/${name}`),
    ),
  ]
}

function isOf(value: unknown, type: string): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  return typeof value === type && value !== null && !Array.isArray(value)
}

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  'idn-email': /^[^@\s]+@[^@\s]+$/,
  uri: /^https?:\/\/[^\s]+$/,
}

function isFormatted(text: string, format: string | undefined): boolean {
  if (format === undefined) return true
  const form = formats[format]
  if (!form) throw new Error(`The format ${format} is not checked.`)
  return form.test(text)
}
