import { dayOf, momentOf } from '#words/times'

interface WhenProps {
  readonly at: string
  /** The sentence that the time stands in. */
  readonly says?: (time: string) => string
}

/** A time, exactly; the client writes how long ago it was. */
export function When({ at, says = itself }: WhenProps) {
  return (
    <time dateTime={at} data-relative={says('{time}')}>
      {says(momentOf(new Date(at)))}
    </time>
  )
}

/** A day of UTC; the client writes the reader's. */
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
