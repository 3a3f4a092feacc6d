import { hash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { head, type Bom, type Component } from './sbom.ts'

// `node cmd/build/licenses/image-sbom.ts <folder>`: adds an image's Debian packages, whose files are in the folder, to
// the bill of materials of the executable, and writes it into the image.
const { name } = JSON.parse(readFileSync('package.json', 'utf8')) as { name: string }
const [root = ''] = process.argv.slice(2)
const bom = JSON.parse(readFileSync(`dist/${name}.cdx.json`, 'utf8')) as Bom
const folder = join(root, 'usr/share/doc', name)
mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, `${name}.cdx.json`),
  JSON.stringify(imageBom(bom, debianPackages()), null, 2),
)

function imageBom(
  { metadata: { component }, components, compositions }: Bom,
  debianComponents: Component[],
): Bom {
  const allComponents = [{ ...component, components }, ...debianComponents]
  return {
    ...head(hash('sha256', JSON.stringify(allComponents))),
    metadata: { component: { ...component, type: 'container', 'bom-ref': 'image', hashes: [] } },
    components: allComponents,
    compositions: [...compositions, { aggregate: 'complete', assemblies: ['image'] }],
  }
}

function debianPackages(): Component[] {
  const records = join(root, 'var/lib/dpkg/status.d')
  return readdirSync(records).map((file) =>
    debianPackage(readFileSync(join(records, file), 'utf8')),
  )
}

function debianPackage(record: string): Component {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(record)?.[1] ?? ''
  const [name, version] = [field('Package'), field('Version')]
  const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=${field('Architecture')}`
  const licenses = [{ license: { name: `as /usr/share/doc/${name}/copyright says` } }]
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses }
}
