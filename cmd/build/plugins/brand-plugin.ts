import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { mark } from '../../../web/brand/mark.ts'
import type { colours } from '../../../web/brand/colours.ts'
import type { Plugin } from '../bundle/bundle.ts'

interface Brand {
  readonly mark: typeof mark
}

interface Colours {
  readonly colours: typeof colours
}

/** Gives bundles the content of `web/brand`: the colours as `@import 'brand:colours'`, and the entry `brand:icon`. */
export const brandPlugin: Plugin = {
  name: 'brand',
  setup(build) {
    build.onResolve({ filter: /^brand:colours$/ }, () => brandPath('colours.css'))
    build.onResolve({ filter: /^brand:icon$/ }, () => brandPath('icon.svg'))
    build.onLoad({ filter: /^colours\.css$/, namespace: 'brand' }, async () => ({
      contents: coloursSheet(await importFresh('colours.ts')),
      loader: 'css',
    }))
    build.onLoad({ filter: /^icon\.svg$/, namespace: 'brand' }, async () => ({
      contents: await icon(),
      loader: 'copy',
    }))
  },
}

function brandPath(path: string) {
  return { path, namespace: 'brand' }
}

/**
 * Returns a custom property per colour, such as `--on-accent`, with its light and dark values. Without spaces:
 * minifying keeps those in a custom property's value.
 */
export function coloursSheet({ colours }: Colours): string {
  const lines = Object.entries(colours).map(
    ([name, [light, dark]]) => `--${kebabCase(name)}:light-dark(${light},${dark});`,
  )
  return `:root{${lines.join('')}}`
}

/** Returns the mark on its square, as browsers show it in a tab in either appearance. */
async function icon(): Promise<string> {
  const [{ mark }, { colours }] = [
    await importFresh<Brand>('mark.ts'),
    await importFresh<Colours>('colours.ts'),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${colours.accent[0]}"/><path fill="${colours.onAccent[0]}" d="${mark}"/></svg>\n`
}

/** Imports a module of the brand again if its file has changed: the development runner rebuilds after a change. */
async function importFresh<Module>(file: string): Promise<Module> {
  const path = resolve('web/brand', file)
  return (await import(`${pathToFileURL(path).href}?${statSync(path).mtimeMs}`)) as Module
}

function kebabCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
