import { hash } from 'node:crypto'
import type { Manifest } from '../options.ts'
import type { Part } from './parts.ts'

/** A component as CycloneDX 1.6 has it. */
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

/** A list of what is inside something, as CycloneDX 1.6 has it. */
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

/** What is inside an executable. The same executable has the same list: there is no time in it. */
export function bomOf(
  { name, version }: Manifest,
  executable: Uint8Array,
  parts: readonly Part[],
): Bom {
  const sum = hash('sha256', executable)
  const itself = { type: 'application', 'bom-ref': 'executable', name, version }
  // Parts whose own parts are known only as far as the binary names them.
  const partlyKnown = parts.filter((part) =>
    part.parts?.some(({ notices }) => notices.length === 0),
  )
  return {
    ...head(sum),
    metadata: { component: { ...itself, hashes: [{ alg: 'SHA-256', content: sum }] } },
    components: parts.map((part) => component(part)),
    compositions: [
      { aggregate: 'complete', assemblies: ['executable'] },
      { aggregate: 'incomplete', assemblies: partlyKnown.map(({ purl }) => purl) },
    ],
  }
}

/** The beginning of every list. Its serial number is made from the hash of what is listed. */
export function head(
  sum: string,
): Pick<Bom, 'bomFormat' | 'specVersion' | 'serialNumber' | 'version'> {
  // RFC 9562: version 8 is for numbers of one's own making.
  const number = sum.replace(/^(.{8})(....).(...).(...)(.{12}).*$/, '$1-$2-8$3-a$4-$5')
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${number}`,
    version: 1,
  }
}

function component(part: Part, above = ''): Component {
  const { name, version, purl, cpe, license, parts } = part
  // With the part above in it: two parts may have the same library inside, and a reference must be unique.
  const reference = `${above}${purl}`
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
