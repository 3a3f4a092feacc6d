import type { LogLevel } from './settings/config.ts'
import { escapeControls } from './text/escape.ts'
import { toJson } from './text/to-json.ts'
import type { Json } from './text/to-json.ts'

/** The facts of a line, besides its message. An Error is written with its stack and causes. */
export type Facts = Readonly<Record<string, unknown>>

/** Writes one line a call, JSON or text; control characters are escaped (security rule 17). */
export type Log = Readonly<Record<LogLevel, (message: string, facts?: Facts) => void>>

export interface LogOptions {
  /** Lines of a lower level are left out. */
  readonly level: LogLevel
  /** As text, the stacks of errors follow their line, indented: no log entry begins with a space. */
  readonly format: 'text' | 'json'
  /** Takes the line with its line break. */
  readonly write: (line: string) => void
  readonly now: () => Date
}

export function makeLog({ level, format, write, now }: LogOptions): Log {
  const line = format === 'json' ? jsonLine : textLine
  const writer = (lineLevel: LogLevel) => (message: string, facts?: Facts) => {
    if (levels.indexOf(lineLevel) < levels.indexOf(level)) return
    write(`${line({ time: textOf(now()), level: lineLevel, message }, factsToJson(facts))}\n`)
  }
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  }
}

let last = { at: NaN, text: '' }

/** Returns a time as text, formatted once for all lines of a millisecond. */
function textOf(time: Date): string {
  const at = time.getTime()
  if (at !== last.at) last = { at, text: time.toISOString() }
  return last.text
}

/** Returns a log that adds these facts to the end of each line. */
export function withFacts(log: Log, fixedFacts: Facts): Log {
  const writer = (level: LogLevel) => (message: string, facts?: Facts) =>
    log[level](message, { ...facts, ...fixedFacts })
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
  }
}

const levels: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']

interface Head {
  readonly time: string
  readonly level: LogLevel
  readonly message: string
}

function factsToJson(facts: Facts = {}): [string, Json][] {
  const entries: [string, Json][] = []
  for (const name of Object.keys(facts)) {
    const value = facts[name]
    if (value !== undefined) entries.push([name, toJson(value)])
  }
  return entries
}

function jsonLine(head: Head, facts: readonly [string, Json][]): string {
  let line = `{"time":"${head.time}","level":"${head.level}","message":${written(head.message)}`
  // A fact never replaces the line's own time, level or message.
  for (const [name, value] of facts)
    line += `,${written(Object.hasOwn(head, name) ? `${name}_` : name)}:${written(value)}`
  return `${line}}`
}

/** Returns a value as JSON. Most text is plain, and needs only quotes around it. */
function written(value: Json): string {
  if (typeof value === 'number') return `${value}`
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`
  return escapeControls(JSON.stringify(value))
}

const plain = /^[ !#-[\]-~]*$/

function textLine(head: Head, facts: readonly [string, Json][]): string {
  const stacks: string[] = []
  const words = facts.map(([name, value]) => `${word(name)}=${textValue(value, stacks)}`)
  const first = `${head.time} ${head.level.toUpperCase().padEnd(5)} ${escapeControls(head.message)}`
  return [[first, ...words].join(' '), ...stacks].join('\n')
}

/** Returns a value as one word; the stack of an error is added to `stacks`. */
function textValue(value: Json, stacks: string[]): string {
  if (typeof value === 'string') return word(value)
  if (!isError(value)) return escapeControls(JSON.stringify(value))
  stacks.push(...stackLines(value, ''))
  return escapeControls(JSON.stringify(`${value.name}: ${value.message}`))
}

interface JsonError {
  readonly name: string
  readonly message: string
  readonly stack: readonly string[]
  readonly cause?: Json
}

function isError(value: Json): value is Json & JsonError {
  return typeof value === 'object' && value !== null && 'stack' in value && 'message' in value
}

function stackLines(error: JsonError, label: string): string[] {
  const title = `${label}${error.name}: ${error.message}`
  const lines = [title, ...error.stack.map((frame) => `  ${frame}`)]
  const own = lines.map((line) => `    ${escapeControls(line)}`)
  const { cause } = error
  if (cause === undefined) return own
  const below = isError(cause)
    ? stackLines(cause, 'Caused by ')
    : [`    Caused by ${escapeControls(JSON.stringify(cause))}`]
  return [...own, ...below]
}

function word(text: string): string {
  return /^[\w.:/@+-]+$/.test(text) ? text : escapeControls(JSON.stringify(text))
}
