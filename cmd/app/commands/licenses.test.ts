import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { expect, test } from 'vitest'
import type { Bom, Component } from '../../build/licenses/sbom.ts'
import { executable } from '../../../internal/testing/processes/build.ts'
import { clients, testedClient } from '../../../internal/testing/tested-database.ts'
import { otherFrontends } from '../../../internal/testing/tested-frontend.ts'
import { emptyFolder, run } from '../../../internal/testing/processes/executable.ts'
import { appName } from '../../../web/contract/name.ts'
import { debianNotices } from './licenses.ts'

const bom = () => JSON.parse(readFileSync(`${executable}.cdx.json`, 'utf8')) as Bom

function readJson(file: string): object {
  return JSON.parse(readFileSync(file, 'utf8')) as object
}

/** Returns the faults found by the CycloneDX 1.6 schema. */
function complaints(list: Bom): unknown[] {
  const library = fileURLToPath(import.meta.resolve('@cyclonedx/cyclonedx-library/package.json'))
  const schema = (name: string) => readJson(join(dirname(library), `res/schema/${name}`))
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const needed = ['spdx', 'jsf-0.82'].map((name) => `${name}.SNAPSHOT.schema.json`)
  for (const name of needed) ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}`)
  const judge = ajv.compile(schema('bom-1.6.SNAPSHOT.schema.json'))
  return judge(list) ? [] : (judge.errors ?? [])
}

/** Returns the libraries inside one of the executable's packages, with their versions. */
function librariesOf(part: string): string[] {
  const { components = [] } = bom().components.find(({ name }) => name === part) ?? {}
  return components.map(({ name, version }) => `${name} ${version}`)
}

function packageNames(components: readonly Component[]): string[] {
  return components.flatMap(({ name, purl }) => (purl?.startsWith('pkg:npm/') ? name : []))
}

test('the SBOM beside the executable is valid CycloneDX and has the hash of the executable', () => {
  const list = bom()
  expect(complaints(list)).toEqual([])
  expect(list.metadata.component).toMatchObject({
    name: appName,
    hashes: [{ alg: 'SHA-256', content: hash('sha256', readFileSync(executable)) }],
  })
})

test('the SBOM names what is inside the executable, and nothing that only builds or tests it', () => {
  const manifest = readJson('package.json') as { dependencies: object }
  const lock = readJson('package-lock.json') as { packages: Record<string, { dev?: boolean }> }
  const inside = new Set(packageNames(bom().components))
  const ofService = Object.entries(lock.packages).flatMap(([path, { dev }]) =>
    dev ? [] : path.replace(/^.*node_modules\//, ''),
  )
  const direct = Object.keys(manifest.dependencies)
  expect(inside.difference(new Set(ofService))).toEqual(new Set())
  // Only types of the first are used, and only this platform's add-on of the second.
  const unneeded = ['@hattip/core', '@node-rs/argon2']
  // It uses one database's client, and one frontend renders its pages.
  const otherPackages = [...clients.filter((name) => name !== testedClient), ...otherFrontends]
  expect(new Set(direct.filter((name) => !inside.has(name)))).toEqual(
    new Set([...unneeded, ...otherPackages.filter((name) => direct.includes(name))]),
  )
  const node = bom().components.find(({ name }) => name === 'node')
  expect([...inside].filter((name) => name.startsWith('@node-rs/argon2-'))).toHaveLength(1)
  expect(node?.version).toBe(process.versions.node)
  expect(node?.components).toContainEqual(
    expect.objectContaining({ name: 'openssl', version: process.versions.openssl }),
  )
})

test('licenses prints the notice of every component, including those inside Node', async () => {
  const { code, stdout } = await run(['licenses'])
  const titles = [...stdout.matchAll(/^==== (\S+) (\S+) \(.+\) ====\n\n\S/gm)]
  const components = bom().components.map(({ name, version }) => `${name} ${version}`)
  expect(code).toBe(0)
  expect(new Set(titles.map(([, name, version]) => `${name} ${version}`))).toEqual(
    new Set([...components, ...librariesOf(testedClient)]),
  )
  expect(stdout).toContain('Copyright Joyent, Inc. and other Node contributors.')
  expect(stdout).toContain('Copyright (c) 2014, GMO GlobalSign')
  expect(stdout).toMatch(/Copyright \(c\) \S+ LongYinan\n/)
})

/** Creates a folder with the image's files of one Debian package. */
function imageWith(name: string): string {
  const root = emptyFolder()
  const record = `Package: ${name}\nStatus: install ok installed\nArchitecture: amd64\nVersion: 14.2.0-19\n`
  mkdirSync(join(root, 'var/lib/dpkg/status.d'), { recursive: true })
  writeFileSync(join(root, 'var/lib/dpkg/status.d', name), record)
  mkdirSync(join(root, 'usr/share/doc', name), { recursive: true })
  writeFileSync(join(root, 'usr/share/doc', name, 'copyright'), 'This is free software.\n')
  return root
}

test('licenses prints the notices of Debian packages only in the image', () => {
  const notices = debianNotices(imageWith('libstdc++6'))
  expect(notices).toEqual([
    expect.stringMatching(/==== libstdc\+\+6, .*\n\nThis is free software\.\n$/),
  ])
  expect(debianNotices(emptyFolder())).toEqual([])
})

test('the SBOM of the image is valid CycloneDX and lists the executable and the Debian packages', () => {
  const root = imageWith('libstdc++6')
  execFileSync(process.execPath, ['cmd/build/licenses/image-sbom.ts', root])
  const list = readJson(join(root, `usr/share/doc/${appName}/${appName}.cdx.json`)) as Bom
  expect(complaints(list)).toEqual([])
  expect(list.metadata.component).toMatchObject({ type: 'container', name: appName })
  expect(list.components.map(({ name, purl }) => purl ?? name)).toEqual([
    appName,
    'pkg:deb/debian/libstdc%2B%2B6@14.2.0-19?arch=amd64',
  ])
  expect(list.components[0]?.components).toEqual(bom().components)
})
