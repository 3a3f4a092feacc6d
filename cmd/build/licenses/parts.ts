import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Metafile } from '../bundle/bundle.ts'
import type { Manifest } from '../options.ts'
import { licenseOfNode } from './packages.ts'

/** Third-party software inside the executable. */
export interface Part {
  readonly name: string
  readonly version: string
  /** Its identifier for vulnerability scanners: a package URL, and a CPE if it has one. */
  readonly purl: string
  readonly cpe?: string
  /** Its SPDX identifier; undefined if the license is that of the part containing it. */
  readonly license?: string
  readonly notices: readonly string[]
  /** The parts contained in this one. */
  readonly parts?: readonly Part[]
  /** It contains parts but comes without their notices. */
  readonly lacksNotices?: true
}

interface Inputs {
  readonly manifest: Manifest
  /** The metafiles of all bundles. */
  readonly metafiles: readonly Metafile[]
  /** Paths of the password hash's add-on, of the runtime that becomes the executable, and of the one that builds. */
  readonly argon2: string
  readonly runtime: string
  readonly builder: string
}

/** Returns all third-party software inside the executable, sorted by package URL. */
export function partsInside({ manifest, metafiles, argon2, runtime, builder }: Inputs): Part[] {
  const packages = [...new Set(metafiles.flatMap(bundledFolders))].map(packagePart)
  const parts = [
    ...packages.map((part) => (part.name === 'better-sqlite3' ? withSqlite(part) : part)),
    addonPart(argon2),
    nodePart({ manifest, runtime, builder }),
  ]
  return parts.toSorted((a, b) => (a.purl < b.purl ? -1 : 1))
}

/** Returns the folders of the packages with code in a bundle, but not of those that were only read. */
function bundledFolders({ outputs }: Metafile): string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .flatMap(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? []),
  )
}

/** Throws if a package has no license notice. */
function packagePart(folder: string): Part {
  const part = readPackage(folder)
  // The Unlicense dedicates the code to the public domain, and requires no notice.
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

/** Adds SQLite, whose source is in the package made of it, to that package's parts. */
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

/** Returns an add-on in Rust. Its notice is in the main package, and its binary names some of its crates. */
function addonPart(addon: string): Part {
  const part = readPackage(dirname(addon))
  const cratePaths = readFileSync(addon, 'latin1').matchAll(
    /registry[\\/]src[\\/][^\\/]+[\\/]([\w-]+)-(\d+\.\d+\.\d+[^\\/]*)[\\/]/g,
  )
  const crates = new Map([...cratePaths].map(([, name = '', version = '']) => [name, version]))
  return {
    ...part,
    notices: packagePart('node_modules/@node-rs/argon2').notices,
    parts: Array.from(crates, ([name, version]) => nestedPart('cargo', name, version)),
    lacksNotices: true,
  }
}

// Entries of `process.versions` that are not libraries: Node itself, interface versions, and data.
const otherVersions = new Set(['node', 'modules', 'napi', 'cldr', 'tz', 'unicode'])

function nodePart({ manifest, runtime, builder }: Omit<Inputs, 'metafiles' | 'argon2'>): Part {
  const folder = join(dirname(runtime), '..')
  const { version, license } = readPackage(folder)
  const output = execFileSync(builder, ['-p', 'JSON.stringify(process.versions)'], {
    encoding: 'utf8',
  })
  const versions = JSON.parse(output) as Record<string, string>
  // On a platform without a runtime package, another version of Node may build: its libraries are not those inside.
  const libraries = versions['node'] === version ? Object.entries(versions) : []
  return {
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    license,
    notices: [licenseOfNode(folder, manifest)],
    parts: libraries
      .filter(([name, at]) => at && !otherVersions.has(name))
      .map(([name, at]) => nestedPart('generic', name, at)),
  }
}

/** Returns software inside a part, of which only name and version are known here. */
function nestedPart(type: string, name: string, version: string): Part {
  const purl = `pkg:${type}/${name}@${encodeURIComponent(version)}`
  return { name, version, purl, notices: [] }
}
