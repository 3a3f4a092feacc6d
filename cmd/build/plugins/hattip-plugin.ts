import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from '../bundle/bundle.ts'

const adapter = /[\\/]@hattip[\\/]adapter-node[\\/]/

/**
 * Bundles HatTip's adapter without what Node 26 has built in: its polyfills, and its copying of node:stream/web to the
 * global object. They load all of fetch at start, which takes longer than starting Node. Its Request is our
 * LazyRequest.
 */
export const hattipPlugin: Plugin = {
  name: 'hattip',
  setup(build) {
    build.onResolve({ filter: /^(@hattip\/polyfills\/|node:stream\/web$)/ }, ({ path, importer }) =>
      adapter.test(importer) ? { path, namespace: 'nothing' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({
      contents: 'export default () => {}',
    }))
    build.onLoad({ filter: adapterFiles }, ({ path }) => ({
      contents: withLazyRequest(readFileSync(path, 'utf8')),
    }))
  },
}

/** Provides the same Request in tests, which Vite loads, so that they take the same path as the executable. */
export const hattipInTests = {
  name: 'hattip',
  transform: (code: string, id: string) =>
    adapterFiles.test(id) ? withLazyRequest(code) : undefined,
}

const adapterFiles = /@hattip[\\/]adapter-node[\\/]dist[\\/]chunk-.*\.js$/
const lazyRequest = fileURLToPath(
  new URL('../../../internal/http/node/lazy-request.ts', import.meta.url),
)

function withLazyRequest(code: string): string {
  return `import { LazyRequest as Request } from ${JSON.stringify(lazyRequest)}\n${code}`
}
