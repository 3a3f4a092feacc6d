import { region } from './region.ts'

const shownAfterMs = 250

let running = 0
let timer: number | undefined

/** Shows the progress bar if the work takes longer than 250 ms. */
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

/** Implemented by `live/upload.ts` once loaded: shows how much of a form's body has been sent. */
export const upload: { show?: (sent: ProgressEvent) => void } = {}

function bar(): HTMLElement {
  const progress = region('progress')
  progress.ariaHidden = 'true'
  return progress
}
