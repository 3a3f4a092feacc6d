import type { Plugin } from '../bundle/bundle.ts'

/** The exports of a module of the contract. */
type Exports = Readonly<Record<string, unknown>>

/**
 * Keeps unused words and paths out of pages. Objects that contain only texts are given to esbuild as enums, since it
 * replaces the names of an enum's members with their values, and drops the enum. Other exports stay.
 */
export const textsPlugin: Plugin = {
  name: 'texts',
  setup(build) {
    const filter = /[\\/]contract[\\/](?:paths|words[\\/].+)\.ts$/
    build.onLoad({ filter, namespace: 'file' }, async ({ path, suffix }) => {
      // Not for titles, which are looked up by page name: an enum that is used whole is longer than an object.
      if (suffix === objectSuffix || /[\\/]titles[\\/]/.test(path)) return undefined
      // By esbuild, since `import` would not read a changed file again.
      const { outputFiles } = await build.esbuild.build({
        entryPoints: [path],
        bundle: true,
        format: 'esm',
        write: false,
      })
      const source = Buffer.from(outputFiles[0]?.contents ?? '').toString('base64')
      const exported = (await import(`data:text/javascript;base64,${source}`)) as Exports
      return { contents: withEnums(exported, path), loader: 'ts' }
    })
    build.onResolve({ filter: /\?whole$/ }, ({ path }) => ({
      path: path.slice(0, -objectSuffix.length),
      suffix: objectSuffix,
    }))
  },
}

const objectSuffix = '?whole'

function withEnums(exported: Exports, path: string): string {
  const names = Object.keys(exported)
  const enums = names.filter((name) => isTexts(exported[name]))
  const otherExports = names.filter((name) => !enums.includes(name))
  return [
    ...enums.map((name) => enumOf(name, exported[name] as Readonly<Record<string, string>>)),
    `export { ${otherExports.join(', ')} } from ${JSON.stringify(path + objectSuffix)}`,
  ].join('\n')
}

function isTexts(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  )
}

function enumOf(name: string, texts: Readonly<Record<string, string>>): string {
  const members = Object.entries(texts).map(
    ([key, text]) => `${JSON.stringify(key)} = ${JSON.stringify(text)}`,
  )
  return `export enum ${name} { ${members.join(', ')} }`
}
