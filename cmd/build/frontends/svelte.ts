import { readFileSync } from 'node:fs'
import { compile, compileModule, parse } from 'svelte/compiler'
import type { FrontendBuild, Side } from '../frontend-build.ts'

export const frontendBuild: FrontendBuild = {
  plugin: (side) => ({
    name: 'svelte',
    setup(build) {
      const { initialOptions: options } = build
      options.conditions = [...(options.conditions ?? []), 'svelte', 'production']
      options.define = { ...options.define, ...(side === 'browser' && production) }
      // Modules of packages made for Svelte.
      build.onLoad({ filter: /\.svelte\.js$/ }, ({ path }) => ({
        contents: compileModule(readFileSync(path, 'utf8'), compileOptions(path, side)).js.code,
      }))
    },
  }),
  compiledExtension: '.svelte',
  compile(path, text, side) {
    const key = `${side} ${path}`
    const cached = modules.get(key)
    if (cached?.text === text) return cached.module
    const module = moduleOf(path, text, side)
    modules.set(key, { text, module })
    return module
  },
  // Each group of pages imports the renderer, so that esbuild puts everything that both import into one file.
  addedToPage: (path) => (/[\\/]groups[\\/]/.test(path) ? "import '../app.ts'" : ''),
  unloaded: ['Auth/Login'],
  heaviestLogin: 10_500,
}

const production = { 'process.env.NODE_ENV': '"production"' }

/** Compiled components: each is bundled once per language. */
const modules = new Map<string, { readonly text: string; readonly module: string }>()

/** Compiles a component; a compile error says the line. */
function moduleOf(filename: string, text: string, side: Side): string {
  const shortText = withoutLineBreaks(text)
  try {
    return compileText(filename, shortText, side)
  } catch {
    // Fails too, but with the line number of the original file.
    return compileText(filename, text, side)
  }
}

function compileText(filename: string, text: string, side: Side): string {
  const options = { ...compileOptions(filename, side), runes: true, discloseVersion: false }
  return compile(text, options).js.code
}

function compileOptions(filename: string, side: Side) {
  return {
    filename,
    generate: side === 'server' ? ('server' as const) : ('client' as const),
    dev: false,
    // svelte-check reports warnings.
    warningFilter: () => false,
  }
}

/**
 * Removes line breaks between two tags, which are no space here, as in JSX; a template writes a space as `{' '}`.
 * Svelte would make each a text node, which would be sent, and searched for during hydration.
 */
function withoutLineBreaks(text: string): string {
  const lineBreaks: { readonly start: number; readonly end: number }[] = []
  collectBreaks(parse(text, { modern: true }).fragment)
  return lineBreaks.reduceRight(
    (text, { start, end }) => text.slice(0, start) + text.slice(end),
    text,
  )

  function collectBreaks(node: unknown): void {
    if (Array.isArray(node)) for (const child of node) collectBreaks(child)
    else if (typeof node === 'object' && node !== null) {
      const { type, start, end, data } = node as Text
      if (type === 'Text' && /^\s*\n\s*$/.test(data)) lineBreaks.push({ start, end })
      else for (const child of Object.values(node)) collectBreaks(child)
    }
  }
}

interface Text {
  readonly type?: string
  readonly start: number
  readonly end: number
  readonly data: string
}
