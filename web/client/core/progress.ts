import { region } from './region.ts'

const shownAfterMs = 250

let running = 0
let timer: number | undefined

/** Shows the bar while the work takes longer than a moment. */
export async function withProgress<Result>(work: () => Promise<Result>): Promise<Result> {
  if (++running === 1) timer = window.setTimeout(() => bar().classList.add('on'), shownAfterMs)
  try {
    return await work()
  } finally {
    if (--running === 0) {
      clearTimeout(timer)
      bar().classList.remove('on', 'measured')
    }
  }
}

/** What `live/upload.ts` does, once it is loaded: shows how much of a form's body is sent. */
export const upload: { show?: (sent: ProgressEvent) => void } = {}

function bar(): HTMLElement {
  const progress = region('progress')
  progress.ariaHidden = 'true'
  return progress
}
