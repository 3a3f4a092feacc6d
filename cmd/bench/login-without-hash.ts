import { registerHooks } from 'node:module'
import { hattipInTests } from '../build/plugins/hattip-plugin.ts'

// Runs the service from its sources as Node reads them, with two exceptions.
registerHooks({
  // Node cannot read JSX: `serve-without-hash.ts` gives the service a frontend that is already bundled.
  resolve: (name, context, next) =>
    name.startsWith('#frontend/') ? { url: noFrontend, shortCircuit: true } : next(name, context),
  // HatTip gets the same Request class as in the executable.
  load: (url, context, next) => {
    const module = next(url, context)
    const text = Buffer.from((module.source ?? '') as Uint8Array).toString()
    const source = hattipInTests.transform(text, url)
    return source === undefined ? module : { ...module, source }
  },
})

const noFrontend = 'data:text/javascript,export const frontend = undefined'

await import('./serve-without-hash.ts')
