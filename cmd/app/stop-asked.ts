import { isatty } from 'node:tty'
import { endNow } from './end-now.ts'

let asked: Promise<NodeJS.Signals> | undefined

/**
 * Resolves with the first SIGTERM or SIGINT since it was first called, or SIGHUP where there is a terminal; a second one
 * of the first two ends the program at once, with exit code 2.
 */
export function stopAsked(): Promise<NodeJS.Signals> {
  return (asked ??= heard())
}

function heard(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (isAsked) endNow(2)
      isAsked = true
      resolve(signal)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
    // A terminal that closes says so, the shell and the kernel each for itself. Where there is none it means nothing, and
    // unheard it would end the program: sent to have a log opened anew, or to one under `nohup`, which Node undoes.
    const hasTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor))
    process.on('SIGHUP', (signal) => {
      if (hasTerminal) resolve(signal)
    })
    // It means nothing here; unheard it would end the program.
    process.on('SIGUSR1', () => {})
  })
}
