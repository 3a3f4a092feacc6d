import { secretField } from '../../../web/contract/secret-fields.ts'
import { type Fields, listOf, textOf } from './fields.ts'

/** Returns what a person typed into a form, by field, without secrets. */
export function typedValues(fields: Fields = new Map()): Record<string, string> {
  const names = [...fields.keys()].filter((name) => !secretField.test(name))
  return Object.fromEntries(names.map((name) => [name, typedIn(fields, name)]))
}

function typedIn(fields: Fields, name: string): string {
  const values = listOf(fields, name)
  return values.length > 1 && values.every(isText) ? values.join(' ') : textOf(fields, name)
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
