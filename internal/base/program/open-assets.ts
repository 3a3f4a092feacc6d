import type { Asset, Assets, Scripts } from './assets.ts'
import { embedded, type Embedded } from './embedded.ts'

/** The contents of `assets.json`, in which the build describes the pages. */
export interface AssetList {
  readonly version: string
  readonly style: string
  /** By name in `web/styles/`. */
  readonly sheets: Readonly<Record<string, string>>
  readonly icon: string
  /** By language. */
  readonly pictures: Readonly<Record<string, string>>
  /** By language. */
  readonly scripts: Readonly<Record<string, ScriptList>>
  /** By path. The content is in the file of that name, compressed also in `.br` and `.gz` if smaller. */
  readonly files: Readonly<Record<string, AssetFacts>>
}

export interface ScriptList {
  readonly version: string
  readonly entry: string
  /** Paths of the modules that the entry itself needs. */
  readonly shared: readonly string[]
  /** By component: paths of the modules it needs besides the entry. */
  readonly modules: Readonly<Record<string, readonly string[]>>
}

interface AssetFacts {
  readonly type: string
  readonly etag: string
  readonly br: boolean
  readonly gzip: boolean
}

/** Opens the pages that the build put beside the program; each file is read when it is first requested. */
export function openAssets(source: Pick<Embedded, 'read'> = embedded()): Assets {
  const list = JSON.parse(Buffer.from(source.read('assets.json')).toString()) as AssetList
  const scripts = new Map(
    Object.entries(list.scripts).map(([language, scriptList]) => [
      language,
      openScripts(scriptList),
    ]),
  )
  const files = new Map(Object.entries(list.files))
  const cache = new Map<string, Asset>()
  return {
    version: list.version,
    style: list.style,
    icon: list.icon,
    picture(language) {
      const path = list.pictures[language]
      if (path === undefined) throw new Error(`The build has no picture in ${language}.`)
      return path
    },
    scripts(language) {
      const languageScripts = scripts.get(language)
      if (!languageScripts) throw new Error(`The build has no pages in ${language}.`)
      return languageScripts
    },
    sheet(name) {
      const path = list.sheets[name]
      if (path === undefined) throw new Error(`The build has no stylesheet ${name}.`)
      return path
    },
    find(path) {
      const cached = cache.get(path)
      if (cached) return cached
      const facts = files.get(path)
      if (!facts) return undefined
      const asset = openAsset(source, path, facts)
      cache.set(path, asset)
      return asset
    },
  }
}

function openScripts({ version, entry, shared, modules }: ScriptList): Scripts {
  const byComponent = new Map(Object.entries(modules))
  return { version, entry, modules: (component) => byComponent.get(component) ?? shared }
}

function openAsset(
  source: Pick<Embedded, 'read'>,
  path: string,
  { type, etag, br, gzip }: AssetFacts,
): Asset {
  const name = path.slice(1)
  return {
    type,
    etag,
    identity: source.read(name),
    ...(br && { br: source.read(`${name}.br`) }),
    ...(gzip && { gzip: source.read(`${name}.gz`) }),
  }
}
