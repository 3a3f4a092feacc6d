import { dirname, extname, relative, resolve } from 'node:path'
import { defaultLanguage, languageNames } from '../../../web/contract/languages.ts'
import { serverEntryOf } from '../bundle/entry.ts'
import {
  type FrontendBuild,
  frontendBuildOf,
  frontendNames,
  readSource,
} from '../frontend-build.ts'
import type { Plugin } from '../bundle/bundle.ts'

const wordsImport = /^#words\/(.+)$/
const frontendImport = /^#frontend\/(\w+)$/

/** Gives one language's pages their words. */
export function wordsPlugin(language: string): Plugin {
  return {
    name: 'words',
    setup(build) {
      build.onResolve({ filter: wordsImport }, ({ path }) => ({ path: wordsFile(path, language) }))
    },
  }
}

/**
 * Gives the server the frontend once per language, as `#frontend/<language>`: its modules are bundled again for each,
 * with that language's words. In sources, `#words` and `#frontend` are the default language's.
 */
export function frontendsPlugin(frontend: string, frontendBuild: FrontendBuild): Plugin {
  return {
    name: 'frontends',
    setup(build) {
      for (const language of languageNames.filter((name) => name !== defaultLanguage)) {
        const namespace = `in-${language}`
        build.onResolve({ filter: new RegExp(`^#frontend/${language}$`) }, () => ({
          path: relativePath(resolve(serverEntryOf(frontend))),
          namespace,
        }))
        build.onResolve({ filter: /^(?:\.|#words\/)/, namespace }, ({ path, resolveDir }) => {
          const file = resolveModule(path, resolveDir, language)
          return mayHaveWords(file) ? { path: relativePath(file), namespace } : { path: file }
        })
        build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
          ...readSource(resolve(path), frontendBuild, 'server'),
          resolveDir: dirname(resolve(path)),
        }))
      }
    },
  }
}

/** Does the same in tests, which Vite loads. Reads the sources of all frontends, for tests that compare them. */
export async function frontendsInTests(frontend: string) {
  const builds = await Promise.all(frontendNames.map(frontendBuildOf))
  return {
    name: 'frontends',
    enforce: 'pre' as const,
    resolveId(path: string, importer = '') {
      const requested = frontendImport.exec(path)?.[1]
      if (requested === defaultLanguage) return undefined
      if (requested) return `${resolve(serverEntryOf(frontend))}?language=${requested}`
      const [, importingFile = '', language] = /^(.*)\?language=(\w+)$/.exec(importer) ?? []
      if (!language || !/^(?:\.|#words\/)/.test(path)) return undefined
      const file = resolveModule(path, dirname(importingFile), language)
      return mayHaveWords(file) ? `${file}?language=${language}` : file
    },
    transform(code: string, id: string) {
      const [path = ''] = id.split('?')
      const build = builds.find(({ compiledExtension }) => compiledExtension === extname(path))
      return build?.compile?.(path, code, 'server')
    },
  }
}

/** Makes a path relative to the project: it is in the bundle, which must not depend on the project's location. */
function relativePath(file: string): string {
  return relative('.', file).replaceAll('\\', '/')
}

function resolveModule(path: string, folder: string, language: string): string {
  return wordsImport.test(path) ? wordsFile(path, language) : resolve(folder, path)
}

function wordsFile(path: string, language: string): string {
  const [, name = ''] = wordsImport.exec(path) ?? []
  return resolve(`web/contract/words/${language}/${name}.ts`)
}

/** Whether a source may contain words. */
function mayHaveWords(file: string): boolean {
  return /[\\/]web[\\/](?!contract[\\/](?:words[\\/]|\w+\.ts))/.test(file) && !file.endsWith('.css')
}
