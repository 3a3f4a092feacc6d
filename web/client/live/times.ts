const seconds: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const renewedEveryMs = 20_000

let timer: number | undefined

/** Writes how long ago each `data-relative` time of the page was, and goes on while the tab is shown. */
export function tellTimes(): void {
  clearTimeout(timer)
  const times = document.querySelectorAll<HTMLTimeElement>('time[data-relative]')
  for (const time of times) tell(time)
  if (times.length > 0 && document.visibilityState === 'visible')
    timer = window.setTimeout(tellTimes, renewedEveryMs)
}

function tell(time: HTMLTimeElement): void {
  const at = new Date(time.dateTime)
  const language = time.closest<HTMLElement>('[lang]')?.lang || 'en'
  time.title = at.toLocaleString(language, { dateStyle: 'full', timeStyle: 'medium' })
  const text = relative((at.getTime() - Date.now()) / 1000, language)
  // The frontend's own text node is kept: it would go on to write into one that is no longer there.
  if (time.firstChild) time.firstChild.nodeValue = text
  else time.textContent = text
}

/** Seconds from now, negative in the past, as "5 minutes ago", in the largest unit that is whole. */
export function relative(fromNow: number, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, size] = seconds.find(([, size]) => Math.abs(fromNow) >= size) ?? ['second', Infinity]
  return words.format(Math.trunc(fromNow / size) || 0, unit)
}
