import { checkedThen } from './meanwhile.ts'
import { testApp, type TestApp } from './test-app.ts'
import type { Config } from '../base/settings/config.ts'

interface Held {
  readonly app: TestApp
  /** Holds the next request after it has checked a password. */
  readonly hold: () => void
  /** Resolves once a request is held. */
  readonly isHeld: Promise<void>
  /** Lets the held request continue. */
  readonly release: () => void
}

/** Returns an app in which a request can be held midway. `fails`: the request fails when it continues. */
export async function heldApp(config: Partial<Config>, how?: 'fails'): Promise<Held> {
  const [stopped, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let holds = false
  const happens = async () => {
    if (!holds) return
    holds = false
    stopped.resolve()
    await goesOn.promise
    if (how === 'fails') throw new Error('too bad')
  }
  const app = await testApp({ config, served: (opened) => checkedThen(opened, happens) })
  return { app, hold: () => (holds = true), isHeld: stopped.promise, release: goesOn.resolve }
}
