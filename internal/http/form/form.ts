import { json, noContent, type Answer } from '../answer.ts'
import { type Fields, textOf } from '../body/fields.ts'
import { readJson } from '../body/form-body.ts'
import { invalidCall } from '../api/failed-call.ts'
import { invalid } from './failed-form.ts'
import { fieldsToValidate, vary } from '../page/protocol.ts'
import type { Arrived } from '../arrived.ts'
import type { Call } from '../api/call.ts'
import type { Context } from '../context.ts'
import type { UsedToken } from '../../db/tokens.ts'

/**
 * Validates a field: returns the message for the person, or undefined if it is valid. A `Rule` serves pages
 * and the API, a `Rule<Context>` pages only, a `Rule<UserContext>` the pages of users.
 */
export type Rule<C extends Arrived = Arrived> = (
  value: string,
  submission: { c: C; fields: Fields },
) => Verdict | Promise<Verdict>

export type Verdict = string | TooSoon | undefined

/** The message after too many tries, with the seconds to wait, sent as Retry-After too. */
export interface TooSoon {
  readonly message: string
  readonly seconds: number
}

type Rules<C extends Arrived, Name extends string> = Readonly<Record<Name, readonly Rule<C>[]>>

type Form<Name extends string> = Readonly<Record<Name, string>>

/** Answers a request: anybody's, or only a user's as a `Handler<UserContext>`. */
export type Handler<C extends Arrived = Context> = (c: C) => Answer | Promise<Answer>

// Spaces around a name or an email are never intended; a password is kept as typed.
const keptAsTyped = /password|token|credential/

/**
 * Makes the handler of a form from its fields with their rules, and the work to do once all are valid. A
 * validation-only request gets only the errors (spec: Page delivery 3).
 */
export function action<C extends Context, Name extends string>(
  rules: Rules<C, Name>,
  // `fields`: all fields as sent, for one that may be repeated.
  work: (c: C, form: Form<Name>, fields: Fields) => Answer | Promise<Answer>,
): Handler<C> {
  return async (c) => {
    const toValidate = fieldsToValidate(c)
    const rows = Object.entries<readonly Rule<C>[]>(rules).filter(
      ([name]) => !toValidate || toValidate === 'all' || toValidate.has(name),
    )
    const fields = trimmed(c.fields ?? new Map())
    const { errors, headers } = await failures(c, fields, rows)
    if (toValidate) return answerValidation(c, errors, headers)
    if (Object.keys(errors).length > 0) return invalid(c, errors, headers)
    return work(c, formOf(rules, fields), fields)
  }
}

/**
 * Makes the handler of an API call: its fields are the body, one JSON object; invalid ones are a 422. A call
 * cannot be validation-only.
 */
export function apiAction<Name extends string>(
  rules: Rules<Call, Name>,
  work: (c: Call, token: UsedToken, form: Form<Name>, fields: Fields) => Answer | Promise<Answer>,
): (c: Call, token: UsedToken) => Promise<Answer> {
  return async (c, token) => {
    const fields = trimmed(await readJson(c))
    const { errors, headers } = await failures(c, fields, Object.entries(rules))
    if (Object.keys(errors).length > 0) return invalidCall(c, errors, headers)
    return work(c, token, formOf(rules, fields), fields)
  }
}

function formOf<Name extends string>(rules: Readonly<Record<Name, unknown>>, fields: Fields) {
  const names = Object.keys(rules)
  return Object.fromEntries(names.map((name) => [name, textOf(fields, name)])) as Form<Name>
}

async function failures<C extends Arrived>(
  c: C,
  fields: Fields,
  rules: readonly [string, readonly Rule<C>[]][],
): Promise<{ errors: Record<string, string>; headers: Record<string, string> }> {
  const errors: Record<string, string> = {}
  const headers: Record<string, string> = {}
  for (const [name, list] of rules) {
    for (const rule of list) {
      const verdict = await rule(textOf(fields, name), { c, fields })
      if (verdict === undefined) continue
      errors[name] = typeof verdict === 'string' ? verdict : verdict.message
      if (typeof verdict === 'object') headers['Retry-After'] = String(verdict.seconds)
      break
    }
  }
  return { errors, headers }
}

/**
 * Answers a validation-only request for a form with one file; undefined for any other request. `fault`: what
 * is wrong with the file.
 */
export function answerFileValidation(
  c: Context,
  field: string,
  fault: string | undefined,
): Answer | undefined {
  const toValidate = fieldsToValidate(c)
  if (!toValidate) return undefined
  const isToValidate = toValidate === 'all' || toValidate.has(field)
  return answerValidation(c, isToValidate && fault !== undefined ? { [field]: fault } : {}, {})
}

function answerValidation(
  c: Context,
  errors: Record<string, string>,
  extraHeaders: Record<string, string>,
): Answer {
  const { validating = '', validated } = c.protocol ?? {}
  const headers = { ...extraHeaders, [validating]: 'true', Vary: vary }
  if (Object.keys(errors).length > 0) return json(422, { errors }, headers)
  return noContent(validated ? { ...headers, [validated]: 'true' } : headers)
}

function trimmed(fields: Fields): Fields {
  return new Map(
    [...fields].map(([name, value]) => [
      name,
      keptAsTyped.test(name) ? value : withoutUnseen(name, value),
    ]),
  )
}

/** A space, or an invisible mark of direction or byte order, as comes with copied text. */
const space = /[\p{Zs}\t\u00ad\u061c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u

/** Marks removed from a name. Those that reverse the letters between a pair of them stay, and are refused. */
const unseen = /[\u00ad\u061c\u200e\u200f\u2060\ufeff]/g

// The fields of `renameField` begin with it, too.
function withoutUnseen(name: string, value: unknown): unknown {
  const isName = name.startsWith('name') && typeof value === 'string'
  return withoutSpaces(isName ? value.replace(unseen, '') : value)
}

/** Trims one level deep, enough for a repeated field: JSON may be nested as deep as it is long. */
function withoutSpaces(value: unknown): unknown {
  return Array.isArray(value) ? value.map(trimmedText) : trimmedText(value)
}

function trimmedText(value: unknown): unknown {
  return typeof value === 'string' ? withoutSpacesAround(value.replace(/\r\n?/g, '\n')) : value
}

/** Unlike `trim`, keeps line breaks and the like: rules for single-line text refuse them. */
function withoutSpacesAround(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && space.test(text.charAt(start))) start++
  while (end > start && space.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}
