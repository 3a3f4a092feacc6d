import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileScript, invalidateTypeCache, parse } from 'vue/compiler-sfc'
import { stripTypes } from '../bundle/bundle.ts'
import type { FrontendBuild, Side } from '../frontend-build.ts'

/** The modules meant for bundlers: those for Node include the template compiler. */
const bundlerModules: Readonly<Record<string, string>> = {
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
        build.onResolve({ filter }, ({ path }) => ({ path: resolve(bundlerModules[path] ?? path) }))
      // Types may have changed since the last build, and with them the components' props.
      build.onStart(() => {
        for (const file of typeFiles) invalidateTypeCache(file)
        modules.clear()
      })
    },
  }),
  compiledExtension: '.vue',
  compile(path, text, side) {
    const key = [side, path, text].join('\n')
    const module = modules.get(key) ?? compile(path, text, side)
    modules.set(key, module)
    return module
  },
  // Each group of pages imports the renderer, so that esbuild puts everything that both import into one file.
  addedToPage: (path) => (/[\\/]groups[\\/]/.test(path) ? "import '../app.ts'" : ''),
  unloaded: ['Auth/Login'],
  heaviestLogin: 10_500,
}

/** Excludes parts of Vue: no component uses the options API, and Vue's browser extensions are not supported. */
const flags = {
  'process.env.NODE_ENV': '"production"',
  __VUE_OPTIONS_API__: 'false',
  __VUE_PROD_DEVTOOLS__: 'false',
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
}

/** Compiled components: each is bundled once per language. */
const modules = new Map<string, string>()
const typeFiles = new Set<string>()

// The compiler reads components' props from types, which may be in other files.
const fs = {
  fileExists: existsSync,
  readFile(file: string) {
    typeFiles.add(file)
    return readFileSync(file, 'utf8')
  },
}

/** Compiles a component; a compile error says the line. */
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
      // Static parts are not hoisted into markup strings: recreating them is cheap, sending markup is not.
      compilerOptions: { hoistStatic: false, comments: false },
    },
  })
  // No import is a ref. Without `unref` esbuild can replace the words' names with their texts.
  const withoutUnref = content.replace(/_unref\((\w+)\)/g, (match, name: string) =>
    name in imports ? name : match,
  )
  return stripTypes(withoutUnref.replaceAll('CommentVNode("v-if"', 'CommentVNode(""'))
}
