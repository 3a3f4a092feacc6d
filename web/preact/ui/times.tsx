import { dayOf, momentOf } from '#words/format/times'

interface TimeProps {
  readonly at: string
  /** Puts the time into a sentence. */
  readonly sentence?: (time: string) => string
}

/** The exact time in UTC; the client writes how long ago it was. */
export function RelativeTime({ at, sentence = timeAlone }: TimeProps) {
  return (
    <time dateTime={at} data-relative={sentence('{time}')}>
      {sentence(momentOf(new Date(at)))}
    </time>
  )
}

/** The date in UTC; the client writes the date in the reader's time zone. */
export function Day({ at, sentence = timeAlone }: TimeProps) {
  return (
    <time dateTime={at} data-day={sentence('{time}')}>
      {sentence(dayOf(new Date(at)))}
    </time>
  )
}

function timeAlone(time: string): string {
  return time
}
