import { firstStopSignal } from '../../stop/stop-signal.ts'

/**
 * Returns a signal that the first SIGTERM or SIGINT aborts, with a sentence as its reason. A second one ends the
 * program at once.
 */
export function abortOnStop(): AbortSignal {
  const controller = new AbortController()
  void abort(controller)
  return controller.signal
}

async function abort(controller: AbortController): Promise<void> {
  controller.abort(new Error(`It was stopped by ${await firstStopSignal()}; nothing was replaced.`))
}
