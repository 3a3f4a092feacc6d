import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, relative, resolve } from 'node:path'
import { entryOf } from '../bundle/entry.ts'
import type { Plugin } from '../bundle/bundle.ts'
import { type FrontendBuild, readSource } from '../frontend-build.ts'
import type { Manifest } from '../options.ts'
import type { Target } from '../executable/targets.ts'

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
 * Makes each stylesheet imported by a script a file of its own. The import's value is the path at which it is served,
 * so that the page client can load it before rendering a page that needs it.
 */
export const sheetPlugin: Plugin = {
  name: 'sheet',
  setup(build) {
    build.onResolve({ filter: /\.css$/ }, ({ path, kind, resolveDir }) =>
      kind === 'import-statement'
        ? { path: relative('.', resolve(resolveDir, path)), namespace: 'sheet' }
        : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'sheet' }, async ({ path }) => {
      const { minify, target } = build.initialOptions
      const { outputFiles, warnings } = await build.esbuild.build({
        entryPoints: [path],
        bundle: true,
        write: false,
        ...(minify && { minify }),
        ...(target && { target }),
      })
      return { contents: outputFiles[0]?.contents ?? '', loader: 'file', warnings }
    })
  },
}

/** Appends to each source of the pages what its frontend adds, and to each group an import of the entry. */
export function contractPlugin(frontend: string, frontendBuild: FrontendBuild): Plugin {
  const entry = JSON.stringify(resolve(entryOf(frontend)))
  return {
    name: 'contract',
    setup(build) {
      const filter = new RegExp(`[\\\\/]web[\\\\/]${frontend}[\\\\/].+\\.\\w+$`)
      build.onLoad({ filter }, ({ path }) => {
        const { contents, ...source } = readSource(path, frontendBuild, 'browser')
        const texts = [
          contents,
          frontendBuild.addedToPage(path),
          isGroup(path) ? `import ${entry}` : '',
        ]
        return { ...source, contents: texts.join('\n') }
      })
    },
  }
}

/**
 * Whether a module is a group of pages. Each group imports the entry, which is loaded anyway, so that esbuild puts
 * modules shared by the entry and groups into the entry's file, instead of one file for each set of groups.
 */
function isGroup(path: string): boolean {
  return /[\\/]groups[\\/]/.test(path)
}

/**
 * Bundles one platform's native add-ons: puts their `.node` files into `addons` by name, and turns each import of one
 * into a call of `loadAddon`, which runs when the add-on is first needed.
 */
export function addonPlugin(
  target: Target,
  argon2: string,
  addons: Map<string, Uint8Array>,
): Plugin {
  const loader = JSON.stringify(resolve('internal/base/program/addons.ts'))
  return {
    name: 'addons',
    setup(build) {
      // The package names its platforms as `Target` does.
      build.onResolve({ filter: /^better-sqlite3$/ }, ({ resolveDir }) =>
        build.resolve(`better-sqlite3/${target}`, { resolveDir, kind: 'import-statement' }),
      )
      // Replaces the package's own entry, which looks for the platform at run time.
      build.onResolve({ filter: /^@node-rs\/argon2$/ }, () => addonFile(resolve(argon2)))
      build.onResolve({ filter: /\.node$/ }, ({ path, resolveDir }) =>
        addonFile(resolve(resolveDir, path)),
      )
      build.onLoad({ filter: /.*/, namespace: 'addon' }, ({ path, pluginData }) => {
        const content = readFileSync(pluginData as string)
        addons.set(path, content)
        const loadCall = `loadAddon(${JSON.stringify(path)}, '${hash('sha256', content)}')`
        return {
          contents: `const { loadAddon } = require(${loader})\nmodule.exports = ${loadCall}`,
          resolveDir: '.',
        }
      })
    },
  }
}

/**
 * Gets Node's own modules by `getBuiltinModule`. An `import` would read every export: for node:http that loads all of
 * fetch and WebSocket, 40 ms at each start. Here only the exports imported by name are read.
 */
export const nodeModulesPlugin: Plugin = {
  name: 'node',
  setup(build) {
    build.onResolve({ filter: /^[a-z:_/0-9]+$/ }, ({ path, kind }) =>
      isBuiltin(path)
        ? {
            path: path.replace('node:', ''),
            namespace: kind === 'import-statement' ? 'node' : 'whole-node',
          }
        : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({ contents: exportsOf(path) }))
    build.onLoad({ filter: /.*/, namespace: 'whole-node' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}')`,
    }))
  },
}

/** Returns a module with a separate export for each, so that the bundle keeps only those that are imported. */
function exportsOf(path: string): string {
  const names = Object.keys(process.getBuiltinModule(`node:${path}`) as object)
  const lines = names
    .filter((name) => /^[\w$]+$/.test(name) && name !== 'default')
    .map((name) => `export const ${name} = /* @__PURE__ */ of('${name}')\n`)
  return `const all = process.getBuiltinModule('node:${path}')
const of = (name) => all[name]
export default all
${lines.join('')}`
}

/** Keeps the file's path out of the bundle, which must not depend on where it is built. */
function addonFile(file: string) {
  return { path: basename(file), namespace: 'addon', pluginData: file }
}
