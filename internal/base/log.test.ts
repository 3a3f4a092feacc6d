import { expect, test } from 'vitest'
import { makeLog } from './log.ts'
import type { LogOptions } from './log.ts'

const now = () => new Date('2026-01-02T03:04:05.678Z')

function openLog(options: Partial<LogOptions>) {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  return { log: makeLog({ level: 'debug', format: 'text', write, now, ...options }), lines }
}

const parsed = (line: string | undefined) => JSON.parse(line ?? '') as Record<string, unknown>

test('a text line of the log has time, level, message and facts', () => {
  const { log, lines } = openLog({})
  log.info('request', { method: 'GET', path: '/up', ms: 1.5, agent: 'a b', user: undefined })
  log.error('it failed')
  expect(lines).toEqual([
    '2026-01-02T03:04:05.678Z INFO  request method=GET path=/up ms=1.5 agent="a b"\n',
    '2026-01-02T03:04:05.678Z ERROR it failed\n',
  ])
})

test('a JSON line of the log has time, level, message and facts', () => {
  const { log, lines } = openLog({ format: 'json' })
  log.warn('slow', { ms: 1.5, at: new Date(0), id: 7n, bytes: Buffer.alloc(3), none: null })
  expect(lines).toHaveLength(1)
  expect(parsed(lines[0])).toEqual({
    time: '2026-01-02T03:04:05.678Z',
    level: 'warn',
    message: 'slow',
    ms: 1.5,
    at: '1970-01-01T00:00:00.000Z',
    id: '7',
    bytes: '[3 bytes]',
    none: null,
  })
})

test('messages below the log level are left out', () => {
  const { log, lines } = openLog({ level: 'warn' })
  log.debug('d')
  log.info('i')
  log.warn('w')
  log.error('e')
  expect(lines.map((line) => line.at(-2))).toEqual(['w', 'e'])
})

const hostile = '\n2026-01-02T03:04:05.678Z INFO  forged\r\x1b[2J\x85\u2028\u202e'
const failed = Object.assign(new Error(hostile, { cause: new Error(hostile) }), { name: hostile })

test('control characters and line breaks in values and errors are escaped in text lines', () => {
  const { log, lines } = openLog({})
  log.info(hostile, { [hostile]: hostile, list: [hostile], deep: { [hostile]: hostile } })
  expect(lines[0]).toMatch(/^[\x20-\x7e]+\n$/)
  log.error('failed', { failed })
  const below = lines[1]?.split('\n').slice(1, -1) ?? []
  expect(below.length).toBeGreaterThan(3)
  expect(below.filter((line) => !/^ {4}[\x20-\x7e]+$/.test(line))).toEqual([])
})

test('control characters and line breaks in values and errors are escaped in JSON lines', () => {
  const { log, lines } = openLog({ format: 'json' })
  log.info(hostile, { [hostile]: hostile, failed })
  expect(lines[0]).toMatch(/^[\x20-\x7e]+\n$/)
  expect(parsed(lines[0])).toMatchObject({ message: hostile, [hostile]: hostile })
})

test('a fact cannot replace the time, the level or the message of a line', () => {
  const { log, lines } = openLog({ format: 'json' })
  log.info('real', { time: 'never', message: 'other', level: 'error' })
  expect(parsed(lines[0])).toEqual({
    time: '2026-01-02T03:04:05.678Z',
    level: 'info',
    message: 'real',
    time_: 'never',
    message_: 'other',
    level_: 'error',
  })
})

test('an error is logged with its code, its stack and its causes', () => {
  const cause = Object.assign(new TypeError('the cause'), { code: 'EACCES' })
  const error = new Error('the error', { cause })
  const text = openLog({})
  text.log.error('failed', { job: 7, error })
  expect(text.lines[0]).toMatch(
    / ERROR failed job=7 error="Error: the error"\n {4}Error: the error\n {6}at /,
  )
  expect(text.lines[0]).toMatch(/\n {4}Caused by TypeError: the cause\n {6}at /)
  const json = openLog({ format: 'json' })
  json.log.error('failed', { error })
  expect(parsed(json.lines[0]).error).toMatchObject({
    name: 'Error',
    message: 'the error',
    stack: expect.arrayContaining([expect.stringMatching(/^at .*log\.test\.ts/)]) as unknown,
    cause: { name: 'TypeError', message: 'the cause', code: 'EACCES' },
  })
})

test('the parts of an AggregateError are logged', () => {
  const { log, lines } = openLog({ format: 'json' })
  log.error('failed', { error: new AggregateError([new Error('one'), 'two'], 'both') })
  expect(parsed(lines[0]).error).toMatchObject({ errors: [{ message: 'one' }, 'two'] })
})

test('circular, invalid and unusual values do not make the log fail', () => {
  const round: Record<string, unknown> = {}
  round.again = round
  const error = new Error('round')
  error.cause = error
  const facts = { round, error, f: () => 1, s: Symbol('x'), n: Number.NaN, d: new Date(Number.NaN) }
  const text = openLog({})
  text.log.error('odd', { ...facts, set: new Set([1]), map: new Map([['a', 1]]) })
  expect(text.lines[0]).toContain(
    'f="[function]" s="Symbol(x)" n=NaN d="no date" set=[1] map={"a":1}',
  )
  const json = openLog({ format: 'json' })
  json.log.error('odd', facts)
  expect(parsed(json.lines[0])).toHaveProperty('round')
})
