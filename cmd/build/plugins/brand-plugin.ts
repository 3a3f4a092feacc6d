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

/** What bundles have of `web/brand`: the colours, by `@import 'brand:colours'`, and `brand:icon`, an entry. */
export const brandPlugin: Plugin = {
  name: 'brand',
  setup(build) {
    build.onResolve({ filter: /^brand:colours$/ }, () => madeHere('colours.css'))
    build.onResolve({ filter: /^brand:icon$/ }, () => madeHere('icon.svg'))
    build.onLoad({ filter: /^colours\.css$/, namespace: 'brand' }, async () => ({
      contents: coloursSheet(await asItIs('colours.ts')),
      loader: 'css',
    }))
    build.onLoad({ filter: /^icon\.svg$/, namespace: 'brand' }, async () => ({
      contents: await icon(),
      loader: 'copy',
    }))
  },
}

function madeHere(path: string) {
  return { path, namespace: 'brand' }
}

/**
 * A custom property for each colour, such as `--on-accent`, light or dark as the page is. Without spaces: minifying
 * keeps those in the value of a custom property.
 */
export function coloursSheet({ colours }: Colours): string {
  const lines = Object.entries(colours).map(
    ([name, [light, dark]]) => `--${kebab(name)}:light-dark(${light},${dark});`,
  )
  return `:root{${lines.join('')}}`
}

/** The mark on its square, as browsers show it in a tab, whatever the appearance. */
async function icon(): Promise<string> {
  const [{ mark }, { colours }] = [
    await asItIs<Brand>('mark.ts'),
    await asItIs<Colours>('colours.ts'),
  ]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="${colours.accent[0]}"/><path fill="${colours.onAccent[0]}" d="${mark}"/></svg>\n`
}

/** Imports a module of the brand anew if its file has changed: the development runner builds again after a change. */
async function asItIs<Module>(file: string): Promise<Module> {
  const path = resolve('web/brand', file)
  return (await import(`${pathToFileURL(path).href}?${statSync(path).mtimeMs}`)) as Module
}

function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
