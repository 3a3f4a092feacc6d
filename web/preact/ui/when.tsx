import { momentOf } from '#words/times'

/** A time, exactly; the client writes how long ago it was. */
export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} data-relative="">
      {momentOf(new Date(at))}
    </time>
  )
}
