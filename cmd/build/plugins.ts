import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, resolve } from 'node:path'
import type { Plugin } from './bundle.ts'
import type { Manifest } from './options.ts'
import type { Target } from './targets.ts'

/** Gives the bundles the name and version of package.json, and nothing else of it. */
export function manifestPlugin({ name, version }: Manifest): Plugin {
  return {
    name: 'manifest',
    setup(build) {
      build.onLoad({ filter: /package\.json$/ }, ({ path }) =>
        path === resolve('package.json')
          ? { contents: JSON.stringify({ name, version }), loader: 'json' }
          : undefined,
      )
    },
  }
}

/**
 * Native add-ons of one platform. Their `.node` files are put into `addons` by name, and importing one loads it
 * by `loadAddon`, when it is first needed.
 */
export function addonPlugin(
  target: Target,
  argon2: string,
  addons: Map<string, Uint8Array>,
): Plugin {
  const loader = JSON.stringify(resolve('internal/base/addons.ts'))
  return {
    name: 'addons',
    setup(build) {
      build.onResolve({ filter: /^better-sqlite3$/ }, ({ resolveDir }) =>
        build.resolve(`better-sqlite3/${target}`, { resolveDir, kind: 'import-statement' }),
      )
      // Its own entry looks for the platform at run time.
      build.onResolve({ filter: /^@node-rs\/argon2$/ }, () => addonFile(resolve(argon2)))
      build.onResolve({ filter: /\.node$/ }, ({ path, resolveDir }) =>
        addonFile(resolve(resolveDir, path)),
      )
      build.onLoad({ filter: /.*/, namespace: 'addon' }, ({ path, pluginData }) => {
        const content = readFileSync(pluginData as string)
        addons.set(path, content)
        const loading = `loadAddon(${JSON.stringify(path)}, '${hash('sha256', content)}')`
        return {
          contents: `const { loadAddon } = require(${loader})\nmodule.exports = ${loading}`,
          resolveDir: '.',
        }
      })
    },
  }
}

/**
 * Node's own modules, asked for without `import`, which reads every export: of node:http that loads all of fetch
 * and WebSocket, 40 ms at each start.
 */
export const nodeModulesPlugin: Plugin = {
  name: 'node',
  setup(build) {
    build.onResolve({ filter: /^[a-z:_/0-9]+$/ }, ({ path }) =>
      isBuiltin(path) ? { path: path.replace('node:', ''), namespace: 'node' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}')`,
    }))
  },
}

/** The file's own path stays out of the bundle, so that it is the same wherever it is built. */
function addonFile(file: string) {
  return { path: basename(file), namespace: 'addon', pluginData: file }
}
