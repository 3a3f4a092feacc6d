import { expect, test } from 'vitest'
import { faultsOf } from './json-schema.ts'

const User = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', maxLength: 3, pattern: '^[A-Z]' } },
}
const document = { components: { schemas: { User } } }
const user = { $ref: '#/components/schemas/User' }

test('a value that matches a schema has no faults, with references and alternatives', () => {
  const kinds = { oneOf: [{ type: 'null' }, { enum: ['a', 'b'] }] }
  const more = { type: 'object', properties: { kind: kinds, user, n: { minimum: 1 } } }
  expect(faultsOf({ kind: 'a', user: { name: 'Ann' }, n: 1 }, more, document)).toEqual([])
  expect(faultsOf({ kind: 'c', n: 0 }, more, document)).not.toEqual([])
})

test('each fault is reported with its path, and an undescribed property is a fault', () => {
  const faults = faultsOf(
    [{ name: 'anna' }, {}, { name: 'A', id: 1 }],
    { items: user },
    document,
    'x',
  )
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    'x/0/name must NOT have more than 3 characters',
    'x/0/name must match pattern "^[A-Z]"',
    "x/1 must have required property 'name'",
    'x/2 must NOT have unevaluated properties',
  ])
})

test('the formats date and date-time each refuse the other’s values', () => {
  const times = { properties: { day: { format: 'date' }, at: { format: 'date-time' } } }
  const day = '2026-12-24'
  const at = '2026-12-24T10:00:00.000Z'
  const faults = faultsOf({ day: at, at: day }, times, document)
  expect(faultsOf({ day, at }, times, document)).toEqual([])
  expect(faults.map((fault) => fault.split(':')[0])).toEqual([
    '/day must match format "date"',
    '/at must match format "date-time"',
  ])
})

test('an unknown keyword or format in a schema throws an error', () => {
  expect(() => faultsOf('a', { type: 'string', format: 'colour' }, document)).toThrow('colour')
  expect(() => faultsOf('a', { type: 'string', longest: 3 }, document)).toThrow('longest')
})
