import { throttleAddress } from '../../base/network/address.ts'
import { take } from '../../services/throttle.ts'
import { noContent, Refusal } from '../answer.ts'
import { mediaType } from '../body/form-body.ts'
import { mostBytes, refuseCoded } from '../body/form-limits.ts'
import { loggedAddress } from '../log/request-log.ts'
import type { Handler } from '../form/form.ts'

const types = new Set(['application/csp-report', 'application/reports+json'])
/** Reports logged per request: further ones from one page add nothing. */
const mostReports = 20
const mostCharacters = 300

/** Logs what a page's Content-Security-Policy blocked in somebody's browser. */
export const cspReports: Handler = async (c) => {
  const type = mediaType(c.header('content-type') ?? '')
  if (!types.has(type)) throw new Refusal(415, { Accept: [...types].join(', ') })
  const wait = await take(c.app, 'csp-reports', throttleAddress(c.address))
  if (wait) throw new Refusal(429, { 'Retry-After': String(wait) })
  const body = await c.incoming.read(mostBytes)
  refuseCoded(c)
  const reports = readReports(body)
  for (const report of reports.slice(0, mostReports)) {
    const facts = { ...factsOf(report), address: c.address }
    c.log.warn('blocked by the Content-Security-Policy', facts)
  }
  return noContent()
}

type Report = Readonly<Record<string, unknown>>

/** Parses the reports of a body: `application/csp-report` has one, `application/reports+json` an array. */
function readReports(body: Uint8Array): Report[] {
  const reports: unknown[] = [parsed(body)].flat()
  if (!reports.every((report) => typeof report === 'object' && report !== null)) throw unreadable()
  return (reports as Report[]).map(
    (report) => (report['csp-report'] ?? report['body'] ?? {}) as Report,
  )
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString())
  } catch {
    throw unreadable()
  }
}

function unreadable(): Refusal {
  return new Refusal(400, {}, 'The report cannot be read.')
}

// The names of each fact in the two formats (CSP Level 3, 5.3 and 5.5).
const names = {
  directive: ['effectiveDirective', 'effective-directive', 'violated-directive'],
  blocked: ['blockedURL', 'blocked-uri'],
  page: ['documentURL', 'document-uri'],
  source: ['sourceFile', 'source-file'],
  line: ['lineNumber', 'line-number'],
} as const

/** Picks and truncates what is logged of a report: anyone may send one, with any content of any length. */
function factsOf(report: Report): Record<string, unknown> {
  const facts = Object.entries(names).map(([fact, names]) => {
    const value = names.map((name) => report[name]).find((value) => value !== undefined)
    if (typeof value === 'string') return [fact, loggedAddress(value).slice(0, mostCharacters)]
    return [fact, typeof value === 'number' ? value : undefined]
  })
  return Object.fromEntries(facts) as Record<string, unknown>
}
