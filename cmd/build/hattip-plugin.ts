import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Plugin } from './bundle.ts'

const adapter = /[\\/]@hattip[\\/]adapter-node[\\/]/

/**
 * HatTip's adapter without what Node 26 has anyway: its polyfills, and its copies of node:stream/web into the global
 * object. They load all of fetch at start, which takes longer than starting Node. The Request that it makes is ours.
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
    build.onLoad({ filter: /@hattip[\\/]adapter-node[\\/]dist[\\/]chunk-.*\.js$/ }, ({ path }) => ({
      contents: `import { LazyRequest as Request } from ${lazyRequest}\n${readFileSync(path, 'utf8')}`,
    }))
  },
}

const lazyRequest = JSON.stringify(resolve('internal/http/node/lazy-request.ts'))
