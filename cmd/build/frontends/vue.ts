import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileScript, invalidateTypeCache, parse } from 'vue/compiler-sfc'
import { withoutTypes } from '../bundle.ts'
import type { FrontendBuild, Side } from '../frontend-build.ts'

/** The modules that bundlers are meant to take: those for Node have the compiler of templates inside. */
const bundled: Readonly<Record<string, string>> = {
  vue: 'node_modules/vue/dist/vue.runtime.esm-bundler.js',
  'vue/server-renderer': 'node_modules/@vue/server-renderer/dist/server-renderer.esm-bundler.js',
}

export const frontendBuild: FrontendBuild = {
  plugin: () => ({
    name: 'vue',
    setup(build) {
      const { initialOptions: options } = build
      options.define = { ...options.define, ...flags }
      const filter = /^vue(?:\/server-renderer)?$/
      if (options.packages !== 'external')
        build.onResolve({ filter }, ({ path }) => ({ path: resolve(bundled[path] ?? path) }))
      // A type may have changed since, and with it what a component takes.
      build.onStart(() => {
        for (const file of typeFiles) invalidateTypeCache(file)
        modules.clear()
      })
    },
  }),
  compiled: '.vue',
  compile(path, text, side) {
    const key = [side, path, text].join('\n')
    const module = modules.get(key) ?? compile(path, text, side)
    modules.set(key, module)
    return module
  },
  // Every group needs what draws it: said so, all that both of them import comes in one file.
  addedToPage: (path) => (/[\\/]groups[\\/]/.test(path) ? "import '../app.ts'" : ''),
  unloaded: ['Auth/Login'],
  heaviestLogin: 10_500,
}

/** What is left out: no component is written as options, and nothing is told to tools that a browser is extended by. */
const flags = {
  'process.env.NODE_ENV': '"production"',
  __VUE_OPTIONS_API__: 'false',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
}

/** Made already: each component is in the pages of every language. */
const modules = new Map<string, string>()
const typeFiles = new Set<string>()

// What components take is read from types, in whatever file they stand.
const fs = {
  fileExists: existsSync,
  readFile(file: string) {
    typeFiles.add(file)
    return readFileSync(file, 'utf8')
  },
}

/** Throws where a component cannot be compiled, and says in which line. */
function compile(filename: string, text: string, side: Side): string {
  const { descriptor, errors } = parse(text, {
    filename,
    sourceMap: false,
    templateParseOptions: { comments: false },
  })
  if (errors[0]) throw errors[0]
  const { content, imports = {} } = compileScript(descriptor, {
    id: filename,
    fs,
    inlineTemplate: true,
    isProd: true,
    templateOptions: {
      ssr: side === 'server',
      ssrCssVars: [],
      // Nothing is made of text: what is the same each time is cheap to make again, and markup is not.
      compilerOptions: { hoistStatic: false, comments: false },
    },
  })
  // No import is a ref; said so, texts of the words can be written in place of their names.
  const direct = content.replace(/_unref\((\w+)\)/g, (whole, name: string) =>
    name in imports ? name : whole,
  )
  return withoutTypes(direct.replaceAll('CommentVNode("v-if"', 'CommentVNode(""'))
}
