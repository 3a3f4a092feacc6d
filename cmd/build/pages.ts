import { hash } from 'node:crypto'
import { extname, posix } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defaultLanguage, type Language, languageNames } from '../../web/contract/languages.ts'
import type { AssetList, ScriptList } from '../../internal/base/program/open-assets.ts'
import type { Bundle, Metafile } from './bundle/bundle.ts'

/** Files embedded beside the program, by name. */
export type Files = Map<string, Uint8Array>

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** The pages in each language. Files without words are identical in all languages, and have the same name. */
export type PageBundles = Readonly<Record<Language, Bundle>>

interface PageOptions {
  /** Leaves out the compressed forms. */
  readonly quick?: boolean
  /** Pages that stay as the server rendered them (`FrontendBuild.unloaded`). */
  readonly unloaded?: readonly string[]
}

/**
 * Returns the pages as files to serve: each with its compressed forms if they are smaller, and `assets.json`, whose
 * version is a hash of all of them and of `server`.
 */
export function pageFiles(
  pages: PageBundles,
  server: Uint8Array,
  { quick = false, unloaded = [] }: PageOptions = {},
): Files {
  const files: Files = new Map()
  const assets: Record<string, AssetList['files'][string]> = {}
  const hashes = [hash('sha256', server)]
  // Sorted, since esbuild promises no order.
  for (const [name, contents] of outputsOf(pages)) {
    const compressed = quick ? {} : compress(contents)
    files.set(name, contents)
    if (compressed.br) files.set(`${name}.br`, compressed.br)
    if (compressed.gzip) files.set(`${name}.gz`, compressed.gzip)
    const sum = hash('sha256', contents, 'base64url').slice(0, 22)
    assets[`/${name}`] = {
      type: typeOf(name),
      // Weak, since the compressed forms share it.
      etag: `W/"${sum}"`,
      br: compressed.br !== undefined,
      gzip: compressed.gzip !== undefined,
    }
    hashes.push(name, sum)
  }
  const version = shortHash(hashes.join('\n'))
  const list: AssetList = {
    version,
    ...sharedAssets(pages[defaultLanguage].metafile),
    scripts: Object.fromEntries(
      languageNames.map((language) => [
        language,
        {
          // The default language has the version of the build, which the start logs.
          version: language === defaultLanguage ? version : shortHash(version + language),
          ...scriptsIn(pages[language].metafile, unloaded),
        },
      ]),
    ),
    files: assets,
  }
  return files.set('assets.json', Buffer.from(JSON.stringify(list)))
}

function shortHash(text: string): string {
  return hash('sha256', text).slice(0, 16)
}

/** Returns the outputs by name, sorted, since esbuild promises no order. */
function outputsOf(pages: PageBundles): [name: string, contents: Uint8Array][] {
  const outputs = Object.values(pages).flatMap(({ outputFiles }) =>
    outputFiles.map(({ path, contents }) => {
      const name = `assets/${posix.basename(path.replaceAll('\\', '/'))}`
      return [name, contents] as const
    }),
  )
  return [...new Map(outputs)].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

function typeOf(name: string): string {
  const type = types[extname(name)]
  if (!type)
    throw new Error(
      `No content type is known for ${name}: add it to the table of ${import.meta.filename}`,
    )
  return type
}

function compress(content: Uint8Array): { br?: Uint8Array; gzip?: Uint8Array } {
  const br = brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      [constants.BROTLI_PARAM_LGWIN]: 22,
    },
  })
  const gzip = gzipSync(content, { level: 9 })
  return {
    ...(br.length < content.length && { br }),
    ...(gzip.length < content.length && { gzip }),
  }
}

/** Returns the paths of stylesheets and pictures, which all languages share. */
function sharedAssets({
  outputs,
}: Metafile): Pick<AssetList, 'style' | 'sheets' | 'icon' | 'pictures'> {
  const sheets: Record<string, string> = {}
  const pictures: Record<string, string> = {}
  for (const [output, { inputs }] of Object.entries(outputs))
    if (output.endsWith('.css'))
      for (const sheet of Object.keys(inputs).flatMap(sheetIn)) sheets[sheet] = pathOf(output)
  for (const [output, { entryPoint = '' }] of Object.entries(outputs)) {
    const language = /^web\/brand\/social-([\w-]+)\.png$/.exec(entryPoint)?.[1]
    if (language) pictures[language] = pathOf(output)
  }
  return {
    style: pathOf(outputOf(outputs, (path) => path === 'web/style.css')),
    sheets,
    icon: pathOf(outputOf(outputs, (path) => path === 'brand:icon.svg')),
    pictures,
  }
}

/** Returns the entry's path, and the paths of the modules that each page needs besides. */
function scriptsIn(
  { outputs }: Metafile,
  unloaded: readonly string[],
): Omit<ScriptList, 'version'> {
  const entry = codeOutput(
    outputs,
    outputOf(outputs, (path) => /\/browser\.tsx?$/.test(path)),
  )
  const shared = withImports(outputs, entry)
  const withoutEntry = (paths: Set<string>) =>
    [...paths].filter((path) => path !== entry).map(pathOf)
  const modules: Record<string, string[]> = {}
  for (const [output, { inputs }] of Object.entries(outputs))
    for (const component of Object.keys(inputs).flatMap(componentIn))
      modules[component] = withoutEntry(
        unloaded.includes(component) ? shared : shared.union(withImports(outputs, output)),
      )
  return { entry: pathOf(entry), shared: withoutEntry(shared), modules }
}

/** Returns an entry point's output. */
function outputOf(outputs: Metafile['outputs'], isEntry: (entry: string) => boolean): string {
  const [output] =
    Object.entries(outputs).find(
      ([, { entryPoint }]) => entryPoint !== undefined && isEntry(entryPoint),
    ) ?? []
  if (!output)
    throw new Error('The bundle of the pages lacks its entry, its stylesheet or its icon.')
  return output
}

/** Returns the module with an entry's code: `contractPlugin` can make esbuild move all of it into another module. */
function codeOutput(outputs: Metafile['outputs'], entry: string): string {
  const { inputs = {}, imports = [] } = outputs[entry] ?? {}
  return Object.keys(inputs).length > 0 ? entry : (imports[0]?.path ?? entry)
}

/** Returns the page whose component a source file contains; empty for other files. */
function componentIn(source: string): string[] {
  return /^web\/\w+\/pages\/(.+)\.\w+$/.exec(source)?.slice(1) ?? []
}

/** Returns the name of the stylesheet that a script imports (`sheetPlugin`); empty for other files. */
function sheetIn(source: string): string[] {
  return /^sheet:.*?(\w+)\.css$/.exec(source)?.slice(1) ?? []
}

/** Returns a module and everything that it imports statically. */
function withImports(
  outputs: Metafile['outputs'],
  module: string,
  collected = new Set<string>(),
): Set<string> {
  if (collected.has(module)) return collected
  collected.add(module)
  for (const { path, kind } of outputs[module]?.imports ?? [])
    if (kind === 'import-statement') withImports(outputs, path, collected)
  return collected
}

function pathOf(output: string): string {
  return `/assets/${posix.basename(output)}`
}
