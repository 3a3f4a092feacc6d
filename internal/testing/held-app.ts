import { afterPasswordCheck } from './app-hooks.ts'
import { testApp, type TestApp } from './test-app.ts'
import type { Config } from '../base/settings/config.ts'

interface HeldApp {
  readonly app: TestApp
  /** Holds the next request after it has checked a password. */
  readonly hold: () => void
  /** Resolves once a request is held. */
  readonly isHeld: Promise<void>
  /** Lets the held request continue. */
  readonly release: () => void
}

/** Returns an app in which a request can be held midway. `fails`: the request fails when it continues. */
export async function heldApp(config: Partial<Config>, outcome?: 'fails'): Promise<HeldApp> {
  const [stopped, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let holds = false
  const hook = async () => {
    if (!holds) return
    holds = false
    stopped.resolve()
    await released.promise
    if (outcome === 'fails') throw new Error('too bad')
  }
  const app = await testApp({ config, serverApp: (opened) => afterPasswordCheck(opened, hook) })
  return { app, hold: () => (holds = true), isHeld: stopped.promise, release: released.resolve }
}
