import { UAParser } from 'ua-parser-js'
import type { Device } from '../../../web/contract/pages.ts'
import { firstBytes } from '../text/first-bytes.ts'

/** What a User-Agent says: one of five families of browsers and one of six systems; null for any other. */
export interface BrowserNames {
  readonly browser: string | null
  readonly system: string | null
}

/**
 * The lower-case names in ua-parser-js of the families that people know (spec: Notifications, browser names).
 */
// oxfmt-ignore
const families: Readonly<Record<string, readonly string[]>> = {
  Chrome:  ['chrome', 'chrome headless', 'chrome webview', 'chromium'],
  Firefox: ['firefox', 'firefox focus', 'firefox reality', 'klar', 'fennec'],
  Safari:  ['safari', 'mobile safari'],
  Edge:    ['edge'],
  Opera:   ['opera', 'opera gx', 'opera mini', 'opera mobi', 'opera tablet', 'opera touch', 'opera coast'],
}

// oxfmt-ignore
const systems: Readonly<Record<string, readonly string[]>> = {
  Windows:  ['windows'],
  macOS:    ['mac os'],
  Linux:    [
    'linux', 'ubuntu', 'kubuntu', 'xubuntu', 'lubuntu', 'debian', 'raspbian', 'fedora', 'centos', 'red hat', 'redhat',
    'suse', 'opensuse', 'arch', 'manjaro', 'gentoo', 'slackware', 'mageia', 'mandriva', 'mint', 'deepin', 'elementary os',
  ],
  Android:  ['android', 'android-x86'],
  iOS:      ['ios'],
  ChromeOS: ['chromium os'],
}

const familyOf = byName(families)
const systemOf = byName(systems)

/** How much of a User-Agent is read and kept, in bytes. */
export const longestUserAgent = 512

/** All that is read from a User-Agent. */
interface UserAgentFacts extends BrowserNames {
  readonly device: Device | null
}

// Cached: most browsers send one of a few hundred User-Agents, and parsing takes as long as drawing a line.
const cache = new Map<string, UserAgentFacts>()
const mostCached = 500

/** Reads browser and system from the first bytes of a User-Agent. */
export function browserOf(userAgent: string): BrowserNames {
  const { browser, system } = readOf(userAgent)
  return { browser, system }
}

/** Returns the device of a User-Agent, by its first bytes; null if it does not say. */
export function deviceOf(userAgent: string): Device | null {
  return readOf(userAgent).device
}

function readOf(userAgent: string): UserAgentFacts {
  const text = firstBytes(userAgent, longestUserAgent)
  const cached = cache.get(text)
  if (cached) return cached
  const facts = parsed(text)
  const [oldest] = cache.keys()
  if (oldest !== undefined && cache.size >= mostCached) cache.delete(oldest)
  cache.set(text, facts)
  return facts
}

function parsed(text: string): UserAgentFacts {
  const parser = parserOf(text)
  const system = parser.getOS().name
  return {
    browser: familyOf(parser.getBrowser().name),
    system: systemOf(system),
    device: deviceOfType(parser.getDevice().type, system),
  }
}

function deviceOfType(type: string | undefined, system: string | undefined): Device | null {
  if (type === 'mobile') return 'phone'
  if (type === 'tablet') return 'tablet'
  return type === undefined && system ? 'desktop' : null
}

/**
 * Makes a parser that hostile texts cannot slow down: some patterns of the library take cubic time, 0.7 s at
 * 512 bytes. With both replacements, none of 43,000 texts made of every word in its patterns takes a
 * millisecond.
 */
function parserOf(text: string): UAParser {
  // No browser sends such a run of letters, digits and spaces: "CPU iPhone OS 17_5 like Mac OS X" has 32.
  const broken = text.replaceAll(/[\w ]{48}/g, '$&;')
  // Naver is in none of the families anyway.
  return new UAParser(broken.replaceAll(/naver(?=\()/gi, 'other'))
}

function byName(table: Readonly<Record<string, readonly string[]>>) {
  const known = new Map(
    Object.entries(table).flatMap(([family, names]) =>
      names.map((name) => [name, family] as const),
    ),
  )
  return (name: string | undefined) => known.get(name?.toLowerCase() ?? '') ?? null
}
