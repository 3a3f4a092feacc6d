import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Metafile } from './bundle.ts'
import type { Manifest } from './options.ts'
import { licenseOfNode } from './packages.ts'

/** Something that others made and the executable has inside. */
export interface Part {
  readonly name: string
  readonly version: string
  /** Names it to programs that know of faults: a package URL, and where it is known by one the CPE of its maker. */
  readonly purl: string
  readonly cpe?: string
  /** By its name in SPDX's list; undefined where the license of what it is part of says it. */
  readonly license?: string
  readonly notices: readonly string[]
  /** What it is made of itself. */
  readonly parts?: readonly Part[]
  /** It has others inside whose notices it comes without. */
  readonly lacksNotices?: true
}

interface Inside {
  readonly manifest: Manifest
  /** Of all that was bundled. */
  readonly metafiles: readonly Metafile[]
  /** Paths of the password hash's add-on, of the runtime that becomes the executable, and of the one that builds. */
  readonly argon2: string
  readonly runtime: string
  readonly builder: string
}

/** All that the executable has inside which is not the project's own, by name. */
export function partsInside({ manifest, metafiles, argon2, runtime, builder }: Inside): Part[] {
  const packages = [...new Set(metafiles.flatMap(bundledFolders))].map(packagePart)
  const parts = [
    ...packages.map((part) => (part.name === 'better-sqlite3' ? withSqlite(part) : part)),
    addonPart(argon2),
    nodePart({ manifest, runtime, builder }),
  ]
  return parts.toSorted((a, b) => (a.purl < b.purl ? -1 : 1))
}

/** The folders of the packages of which something is in what was bundled, and not only looked at. */
function bundledFolders({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  )
}

/** Throws where a package says nothing of its license. */
function packagePart(folder: string): Part {
  const part = readPackage(folder)
  // Given to everyone, and asks for no notice.
  if (part.notices.length === 0 && part.license !== 'Unlicense')
    throw new Error(`${folder} has no notice of its license.`)
  return part
}

type PackageFile = Readonly<Record<'name' | 'version' | 'license', string>>

function readPackage(folder: string): Part {
  const text = readFileSync(join(folder, 'package.json'), 'utf8')
  const { name, version, license } = JSON.parse(text) as PackageFile
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  return { name, version, purl, license, notices: noticesIn(folder) }
}

function noticesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|notice|copying|copyright)[^/]*$/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), 'utf8'))
}

/** SQLite's own source stands in the package that is made of it. */
function withSqlite(part: Part): Part {
  const header = readFileSync('node_modules/better-sqlite3/deps/sqlite3/sqlite3.h', 'utf8')
  const version = /^#define SQLITE_VERSION +"([\d.]+)"$/m.exec(header)?.[1]
  const [blessing] = /(?<=^\/\*\n)(?:\*\*.*\n)+/.exec(header) ?? []
  if (!version || !blessing) throw new Error('The version of SQLite could not be read.')
  const sqlite = {
    name: 'sqlite',
    version,
    purl: `pkg:generic/sqlite@${version}`,
    cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`,
    license: 'blessing',
    notices: [blessing.replace(/^\*\* ?/gm, '')],
  }
  return { ...part, parts: [sqlite] }
}

/** An add-on in Rust: its package has the notice of the one it belongs to, and its own text names some of its crates. */
function addonPart(addon: string): Part {
  const part = readPackage(dirname(addon))
  const named = readFileSync(addon, 'latin1').matchAll(
    /registry[\\/]src[\\/][^\\/]+[\\/]([\w-]+)-(\d+\.\d+\.\d+[^\\/]*)[\\/]/g,
  )
  const crates = new Map([...named].map(([, name = '', version = '']) => [name, version]))
  return {
    ...part,
    notices: packagePart('node_modules/@node-rs/argon2').notices,
    parts: Array.from(crates, ([name, version]) => inPart('cargo', name, version)),
    lacksNotices: true,
  }
}

// What of `process.versions` is no library: Node itself, numbers of interfaces, and tables.
const noLibraries = new Set(['node', 'modules', 'napi', 'cldr', 'tz', 'unicode'])

function nodePart({ manifest, runtime, builder }: Omit<Inside, 'metafiles' | 'argon2'>): Part {
  const folder = join(dirname(runtime), '..')
  const { version, license } = readPackage(folder)
  const told = execFileSync(builder, ['-p', 'JSON.stringify(process.versions)'], {
    encoding: 'utf8',
  })
  const versions = JSON.parse(told) as Record<string, string>
  // On a platform that no runtime is to be had for, another version may build.
  const libraries = versions['node'] === version ? Object.entries(versions) : []
  return {
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    license,
    notices: [licenseOfNode(folder, manifest)],
    parts: libraries
      .filter(([name, at]) => at && !noLibraries.has(name))
      .map(([name, at]) => inPart('generic', name, at)),
  }
}

/** Something in a part, of which no more than its name and version is known here. */
function inPart(type: string, name: string, version: string): Part {
  const purl = `pkg:${type}/${name}@${encodeURIComponent(version)}`
  return { name, version, purl, notices: [] }
}
