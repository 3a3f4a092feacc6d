import type { Plugin } from './bundle.ts'

/** What a module of the contract exports. */
type Exports = Readonly<Record<string, unknown>>

/**
 * Keeps the words and paths that a page does not use out of it. An object of nothing but texts is given to esbuild as an
 * enum, since it writes the members of those in place of their names, and leaves the rest behind; what else such a module
 * exports stays as it is.
 */
export const textsPlugin: Plugin = {
  name: 'texts',
  setup(build) {
    const filter = /[\\/]contract[\\/](?:paths|words[\\/].+)\.ts$/
    build.onLoad({ filter, namespace: 'file' }, async ({ path, suffix }) => {
      // Titles are looked up by the name of a page, and an enum that is used whole is the longer one.
      if (suffix === whole || /[\\/]titles[\\/]/.test(path)) return undefined
      // By esbuild, and not `import`, which would not read it again when it has changed.
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
      path: path.slice(0, -whole.length),
      suffix: whole,
    }))
  },
}

const whole = '?whole'

function withEnums(exported: Exports, path: string): string {
  const names = Object.keys(exported)
  const enums = names.filter((name) => isTexts(exported[name]))
  const others = names.filter((name) => !enums.includes(name))
  return [
    ...enums.map((name) => enumOf(name, exported[name] as Readonly<Record<string, string>>)),
    `export { ${others.join(', ')} } from ${JSON.stringify(path + whole)}`,
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
