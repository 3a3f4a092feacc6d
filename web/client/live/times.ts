const seconds: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const renewedEveryMs = 20_000

/** The formats of a language, in the reader's time zone. */
interface Formats {
  readonly day: Intl.DateTimeFormat
  /** For a date without a time, which is the same day in each time zone. */
  readonly date: Intl.DateTimeFormat
  readonly moment: Intl.DateTimeFormat
  readonly relative: Intl.RelativeTimeFormat
}

let timer: number | undefined
const formats = new Map<string, Formats>()

/**
 * Writes the date into each `data-day` time of the page, in the reader's time zone unless it has no time, and
 * the relative time into each `data-relative` one; the latter are updated while the tab is visible.
 */
export function tellTimes(): void {
  clearTimeout(timer)
  for (const time of times('[data-day]'))
    tell(time, time.dataset.day, ({ day, date }, at) => (isDate(time) ? date : day).format(at))
  const relative = times('[data-relative]')
  for (const time of relative) tell(time, time.dataset.relative, fromNow)
  if (relative.length > 0 && document.visibilityState === 'visible')
    timer = window.setTimeout(tellTimes, renewedEveryMs)
}

function times(markup: string): NodeListOf<HTMLTimeElement> {
  return document.querySelectorAll(`time${markup}`)
}

function tell(
  time: HTMLTimeElement,
  sentence = '{time}',
  written: (how: Formats, at: Date) => string,
): void {
  const at = new Date(time.dateTime)
  const how = formatsOf(time.closest<HTMLElement>('[lang]')?.lang || 'en')
  // A date without a time has no moment to show.
  if (!isDate(time)) time.title = how.moment.format(at)
  const text = sentence.replace('{time}', () => written(how, at))
  // The text node is kept: the frontend would go on writing into it after a replacement.
  if (time.firstChild) time.firstChild.nodeValue = text
  else time.textContent = text
}

/** Whether an element holds a date without a time, such as 2026-12-24. */
function isDate({ dateTime }: HTMLTimeElement): boolean {
  return dateTime.length === 10
}

function formatsOf(language: string): Formats {
  const made = formats.get(language) ?? makeFormats(regional(language))
  formats.set(language, made)
  return made
}

function makeFormats(language: string): Formats {
  return {
    day: new Intl.DateTimeFormat(language, { dateStyle: 'long' }),
    date: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }),
    moment: new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' }),
    relative: new Intl.RelativeTimeFormat(language, { numeric: 'auto' }),
  }
}

/**
 * Returns the language with the reader's region: the one the browser names for it, such as British or
 * American, else that of its other languages. Without either, the region is the world (001), as on the
 * server: plain English is not American.
 */
function regional(language: string): string {
  const locales = navigator.languages.flatMap(localeOf)
  const own = locales.find((each) => each.language === language && each.region)
  if (own) return own.toString()
  const region = locales.find((each) => each.region)?.region
  const tag = region ? `${language}-${region}` : language
  const written = Intl.DateTimeFormat(tag).resolvedOptions().locale
  return written === language ? `${language}-001` : written
}

/** Returns nothing for a tag Intl rejects: on a server's locale Chromium says `en-US@posix`, WebKit `c`. */
function localeOf(tag: string): Intl.Locale[] {
  try {
    return [new Intl.Locale(tag)]
  } catch {
    return []
  }
}

/**
 * Formats a time as "5 minutes ago", in the largest unit that is whole. Days, months and years are those of
 * the reader's calendar: the formats call them yesterday, last month and last year. A time in the future
 * comes from a wrong clock, here or on the server, and is written as now.
 */
function fromNow({ relative }: Formats, time: Date): string {
  const now = new Date()
  const at = time < now ? time : now
  const left = (at.getTime() - now.getTime()) / 1000
  for (const [unit, size] of seconds) {
    if (Math.abs(left) < size) continue
    const number = numbers[unit]
    const count = number ? number(at) - number(now) : Math.trunc(left / size)
    if (count !== 0) return relative.format(count, unit)
  }
  return relative.format(0, 'second')
}

/** Returns the ordinal number of a calendar unit that a time lies in. */
const numbers: { readonly [Unit in Intl.RelativeTimeFormatUnit]?: (at: Date) => number } = {
  year: (at) => at.getFullYear(),
  month: (at) => at.getFullYear() * 12 + at.getMonth(),
  day: (at) => Date.UTC(at.getFullYear(), at.getMonth(), at.getDate()) / 86_400_000,
}
