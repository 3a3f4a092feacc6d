import { readdirSync } from 'node:fs'
import { parse } from 'node:path'
import { entryOf } from '../../cmd/build/bundle/entry.ts'
import { pageFiles } from '../../cmd/build/pages.ts'
import type { Bundle } from '../../cmd/build/bundle/bundle.ts'
import { type Language, languageNames } from '../../web/contract/languages.ts'
import { testedFrontend } from './tested-frontend.ts'
import type { Assets } from '../base/program/assets.ts'
import { openAssets } from '../base/program/open-assets.ts'

const entry = entryOf(testedFrontend)

const output = (entryPoint: string | undefined, source: string) => ({
  bytes: 0,
  exports: [],
  imports: [],
  inputs: { [source]: { bytesInOutput: 1 } },
  ...(entryPoint && { entryPoint }),
})

const sheets = readdirSync(new URL('../../web/styles', import.meta.url)).map((file) => [
  `assets/${parse(file).name}-test.css`,
  output(undefined, `sheet:web/styles/${file}`),
])

const pictures = languageNames.map((language) => {
  const source = `web/brand/social-${language}.png`
  return [`assets/social-${language}-test.png`, output(source, source)] as const
})

/** The files of pages besides scripts; the only stylesheet is nearly empty. */
const otherFiles: Bundle = {
  metafile: {
    inputs: {},
    outputs: {
      'assets/style-test.css': output('web/style.css', 'web/style.css'),
      'assets/icon-test.svg': output('brand:icon.svg', 'brand:icon.svg'),
      ...Object.fromEntries(pictures),
      ...Object.fromEntries(sheets),
    },
  },
  outputFiles: [
    { path: 'assets/style-test.css', contents: Buffer.from('a{} '.repeat(100)) },
    { path: 'assets/icon-test.svg', contents: Buffer.from('<svg/>') },
  ],
}

/** Pages as the build makes them and the service opens them, without scripts. */
export const testAssets = openPages({
  metafile: { inputs: {}, outputs: { 'assets/entry-test.js': output(entry, entry) } },
  outputFiles: [],
})

/** Returns one build for every language. */
export function forEachLanguage<Built>(built: Built): Readonly<Record<Language, Built>> {
  return Object.fromEntries(languageNames.map((name) => [name, built])) as Record<Language, Built>
}

/** Returns pages with these scripts, as the service opens them. */
export function openPages({ metafile, outputFiles }: Bundle): Assets {
  const outputs = { ...otherFiles.metafile.outputs, ...metafile.outputs }
  const pages = {
    metafile: { inputs: {}, outputs },
    outputFiles: [...otherFiles.outputFiles, ...outputFiles],
  }
  const files = pageFiles(forEachLanguage(pages), Buffer.from('the server'))
  const content = (name: string) => {
    const content = files.get(name)
    if (!content) throw new Error(`The pages of tests have no ${name}.`)
    return content
  }
  return openAssets({ read: content })
}
