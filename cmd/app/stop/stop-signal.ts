import { isatty } from 'node:tty'
import { endNow } from './end-now.ts'

let firstSignal: Promise<NodeJS.Signals> | undefined

/**
 * Resolves with the first SIGTERM or SIGINT since the first call, or SIGHUP if there is a terminal. A further SIGTERM
 * or SIGINT ends the program at once, with exit code 2.
 */
export function firstStopSignal(): Promise<NodeJS.Signals> {
  return (firstSignal ??= listenForSignals())
}

function listenForSignals(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (isStopping) endNow(2)
      isStopping = true
      resolve(signal)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    // A closing terminal sends SIGHUP twice, from the shell and from the kernel, so the second one ends nothing.
    // Without a terminal it is ignored, by this listener, since it would otherwise end the program: log rotation may
    // send it, and Node undoes what `nohup` has set.
    const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
    process.on('SIGHUP', (signal) => {
      if (hasTerminal) resolve(signal)
    })
    // Ignored: without a listener it would end the program.
    process.on('SIGUSR1', () => {})
  })
}
