import { dayOf, momentOf } from '#words/times'

interface WhenProps {
  readonly at: string
  /** Puts the time into a sentence. */
  readonly says?: (time: string) => string
}

/** The exact time in UTC; the client writes how long ago it was. */
export function When({ at, says = itself }: WhenProps) {
  return (
    <time dateTime={at} data-relative={says('{time}')}>
      {says(momentOf(new Date(at)))}
    </time>
  )
}

/** The date in UTC; the client writes the date in the reader's time zone. */
export function Day({ at, says = itself }: WhenProps) {
  return (
    <time dateTime={at} data-day={says('{time}')}>
      {says(dayOf(new Date(at)))}
    </time>
  )
}

function itself(time: string): string {
  return time
}
