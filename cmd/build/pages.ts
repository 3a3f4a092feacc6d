import { hash } from 'node:crypto'
import { extname, posix } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { AssetList } from '../../internal/base/program/open-assets.ts'
import type { Bundle, Metafile } from './bundle.ts'

/** What goes beside the program, by name. */
export type Files = Map<string, Uint8Array>

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * The pages as files to serve: each with its compressed forms where they are smaller, and `assets.json`, whose
 * version is a hash of all of them and of `server`. `quick` leaves the compressed forms out.
 */
export function pageFiles(pages: Bundle, server: Uint8Array, quick = false): Files {
  const files: Files = new Map()
  const facts: Record<string, AssetList['files'][string]> = {}
  const version = [hash('sha256', server)]
  // Sorted, since esbuild does not promise an order.
  for (const { path, contents } of pages.outputFiles.toSorted((a, b) =>
    a.path < b.path ? -1 : 1,
  )) {
    const name = `assets/${posix.basename(path.replaceAll('\\', '/'))}`
    const compressed = quick ? {} : compress(contents)
    files.set(name, contents)
    if (compressed.br) files.set(`${name}.br`, compressed.br)
    if (compressed.gzip) files.set(`${name}.gz`, compressed.gzip)
    const sum = hash('sha256', contents, 'base64url').slice(0, 22)
    facts[`/${name}`] = {
      type: typeOf(name),
      // Weak: the compressed forms share it.
      etag: `W/"${sum}"`,
      br: compressed.br !== undefined,
      gzip: compressed.gzip !== undefined,
    }
    version.push(name, sum)
  }
  const list: AssetList = {
    version: hash('sha256', version.join('\n')).slice(0, 16),
    ...places(pages.metafile),
    files: facts,
  }
  return files.set('assets.json', Buffer.from(JSON.stringify(list)))
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

/** Where the entry, the stylesheets and the icon came to lie, and what each page needs beside the entry. */
function places({
  outputs,
}: Metafile): Pick<
  AssetList,
  'entry' | 'style' | 'sheets' | 'icon' | 'picture' | 'shared' | 'modules'
> {
  const made = Object.entries(outputs)
  const place = (is: (entry: string) => boolean) => {
    const [found] =
      made.find(([, { entryPoint }]) => entryPoint !== undefined && is(entryPoint)) ?? []
    if (!found)
      throw new Error('The bundle of the pages lacks its entry, its stylesheet or a picture.')
    return found
  }
  const entry = behind(
    outputs,
    place((path) => /^web\/\w+\/browser\.tsx?$/.test(path)),
  )
  const shared = needed(outputs, entry)
  const beside = (all: Set<string>) => [...all].filter((one) => one !== entry).map(served)
  const modules: Record<string, string[]> = {}
  const sheets: Record<string, string> = {}
  for (const [output, { inputs }] of made) {
    for (const component of Object.keys(inputs).flatMap(componentIn))
      modules[component] = beside(shared.union(needed(outputs, output)))
    if (output.endsWith('.css'))
      for (const sheet of Object.keys(inputs).flatMap(sheetIn)) sheets[sheet] = served(output)
  }
  return {
    entry: served(entry),
    style: served(place((path) => path === 'web/style.css')),
    sheets,
    icon: served(place((path) => path === 'brand:icon.svg')),
    picture: served(place((path) => path === 'web/brand/social.png')),
    shared: beside(shared),
    modules,
  }
}

/** Of an entry that only imports another module, since all it has lies there (`contractPlugin`), that module. */
function behind(outputs: Metafile['outputs'], entry: string): string {
  const { inputs = {}, imports = [] } = outputs[entry] ?? {}
  return Object.keys(inputs).length > 0 ? entry : (imports[0]?.path ?? entry)
}

/** The page whose component stands in a source file, if one does. */
function componentIn(source: string): string[] {
  return /^web\/\w+\/pages\/(.+)\.\w+$/.exec(source)?.slice(1) ?? []
}

/** The name of a further stylesheet: one that a script imports (`sheetPlugin`), or an entry of its own. */
function sheetIn(source: string): string[] {
  return /^(?:sheet:)?web\/styles\/(\w+)\.css$/.exec(source)?.slice(1) ?? []
}

/** A module and all that it imports at once, itself first. */
function needed(
  outputs: Metafile['outputs'],
  module: string,
  seen = new Set<string>(),
): Set<string> {
  if (seen.has(module)) return seen
  seen.add(module)
  for (const { path, kind } of outputs[module]?.imports ?? [])
    if (kind === 'import-statement') needed(outputs, path, seen)
  return seen
}

function served(output: string): string {
  return `/assets/${posix.basename(output)}`
}
