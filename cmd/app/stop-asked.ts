import { endNow } from './end-now.ts'

let asked: Promise<NodeJS.Signals> | undefined

/**
 * Resolves with the first SIGTERM or SIGINT since it was first called; a second one ends the program at once, with exit
 * code 2.
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
    // It means nothing here; unheard it would end the program.
    process.on('SIGUSR1', () => {})
  })
}
