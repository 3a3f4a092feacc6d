import { hash } from 'node:crypto'
import type { Manifest } from '../options.ts'
import type { Part } from './parts.ts'

/** A CycloneDX 1.6 component. */
export interface Component {
  readonly type: string
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly purl?: string
  readonly cpe?: string
  readonly licenses?: readonly {
    readonly license: { readonly id?: string; readonly name?: string }
  }[]
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
  readonly components?: readonly Component[]
}

/** A CycloneDX 1.6 bill of materials. */
export interface Bom {
  readonly bomFormat: 'CycloneDX'
  readonly specVersion: '1.6'
  readonly serialNumber: string
  readonly version: 1
  readonly metadata: { readonly component: Component }
  readonly components: readonly Component[]
  readonly compositions: readonly {
    readonly aggregate: string
    readonly assemblies: readonly string[]
  }[]
}

/**
 * Returns the bill of materials of an executable. It contains no time, so that the same executable has the same one.
 */
export function bomOf(
  { name, version }: Manifest,
  executable: Uint8Array,
  parts: readonly Part[],
): Bom {
  const sum = hash('sha256', executable)
  const application = { type: 'application', 'bom-ref': 'executable', name, version }
  // Parts whose own parts are known only as far as the binary names them.
  const partlyKnown = parts.filter((part) =>
    part.parts?.some(({ notices }) => notices.length === 0),
  )
  return {
    ...head(sum),
    metadata: { component: { ...application, hashes: [{ alg: 'SHA-256', content: sum }] } },
    components: parts.map((part) => component(part)),
    compositions: [
      { aggregate: 'complete', assemblies: ['executable'] },
      { aggregate: 'incomplete', assemblies: partlyKnown.map(({ purl }) => purl) },
    ],
  }
}

/** Returns the head of every bill of materials. Its serial number is derived from the hash of the content. */
export function head(
  sum: string,
): Pick<Bom, 'bomFormat' | 'specVersion' | 'serialNumber' | 'version'> {
  // RFC 9562: version 8 is for custom UUIDs.
  const number = sum.replace(/^(.{8})(....).(...).(...)(.{12}).*$/, '$1-$2-8$3-a$4-$5')
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${number}`,
    version: 1,
  }
}

function component(part: Part, prefix = ''): Component {
  const { name, version, purl, cpe, license, parts } = part
  // Includes the containing part: two parts may contain the same library, and a reference must be unique.
  const reference = `${prefix}${purl}`
  return {
    type: name === 'node' ? 'platform' : 'library',
    'bom-ref': reference,
    name,
    version,
    purl,
    ...(cpe && { cpe }),
    ...(license && { licenses: [{ license: { id: license } }] }),
    ...(parts && { components: parts.map((each) => component(each, `${reference}/`)) }),
  }
}
