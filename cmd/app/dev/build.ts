import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { migrationsFolder } from '#db/migrations'
import { brandPlugin } from '../../build/plugins/brand-plugin.ts'
import { languageNames } from '../../../web/contract/languages.ts'
import { pagesBundle, openBundler, serverBundle } from '../../build/bundle/bundle.ts'
import { frontendBuildOf, frontendPlugin } from '../../build/frontend-build.ts'
import { readOptions, type Manifest } from '../../build/options.ts'
import { frontendsPlugin, wordsPlugin } from '../../build/plugins/languages-plugin.ts'
import { pageFiles, type PageBundles } from '../../build/pages.ts'
import { manifestPlugin, sheetPlugin } from '../../build/plugins/plugins.ts'

// This program imports it, too: the pages of a language that is added later would not be built.
const languagesFile = 'web/contract/languages.ts'

/**
 * Builds the server and its pages into a folder, like `build.ts` for the executable, but quickly: packages stay in
 * node_modules and nothing is compressed. The returned function rebuilds what has changed since its last call, and
 * returns the path of the server to run; call it once at a time. It throws a CompileError, and if the languages have
 * changed.
 */
export function makeRebuild(folder: string): () => Promise<string> {
  let bundles: Bundles | undefined
  const languagesAtStart = readFileSync(languagesFile, 'utf8')
  return async () => {
    if (readFileSync(languagesFile, 'utf8') !== languagesAtStart)
      throw new Error(
        `${languagesFile} has changed, which is read once: end \`npm start\` and start it again.`,
      )
    const manifest = readFileSync('package.json', 'utf8')
    if (bundles?.manifest !== manifest) {
      const newBundles = await makeBundles(manifest)
      await bundles?.close()
      bundles = newBundles
    }
    return writeBuild(folder, await bundles.rebuild())
  }
}

type Bundles = Awaited<ReturnType<typeof makeBundles>>

async function makeBundles(text: string) {
  const manifest = JSON.parse(text) as Manifest
  // The database that this program was started for, by its `--conditions`.
  const options = readOptions(['--database', basename(migrationsFolder)], manifest)
  const frontendBuild = await frontendBuildOf(options.frontend)
  const names = manifestPlugin(manifest)
  const inject = [join(import.meta.dirname, 'page.ts')]
  const pages = await Promise.all(
    languageNames.map(async (language) => {
      const frontend = frontendPlugin(frontendBuild, 'browser')
      const pagePlugins = [wordsPlugin(language), names, frontend, brandPlugin, sheetPlugin]
      const bundle = { ...pagesBundle({ ...options, plugins: pagePlugins }), inject }
      return [language, await openBundler({ ...bundle, sourcemap: 'inline' })] as const
    }),
  )
  const frontends = frontendsPlugin(options.frontend, frontendBuild)
  const plugins = [frontends, names, frontendPlugin(frontendBuild, 'server')]
  const server = await openBundler({
    ...serverBundle({ ...options, plugins }),
    entryPoints: ['cmd/app/dev/server.ts'],
    packages: 'external',
    minifySyntax: false,
    minifyWhitespace: false,
    sourcemap: 'inline',
    // The sources are in the working folder rather than in the output folder.
    sourceRoot: `${pathToFileURL('.').href}/`,
  })
  return {
    /** The text of package.json for which these bundles were made. */
    manifest: text,
    async rebuild() {
      const builds = [
        server.rebuild(),
        ...pages.map(async ([language, bundle]) => [language, await bundle.rebuild()] as const),
      ] as const
      // Waits for all, even if one fails: a build still running would answer the next call with files it had read
      // before.
      await Promise.allSettled(builds)
      const [builtServer, ...builtPages] = await Promise.all(builds)
      const pageBundles = Object.fromEntries(builtPages) as PageBundles
      const sql = join('migrations', options.database)
      return { pages: pageBundles, server: builtServer, sql, unloaded: frontendBuild.unloaded }
    },
    close: () =>
      Promise.all([server, ...pages.map(([, bundle]) => bundle)].map((bundle) => bundle.close())),
  }
}

type BuildResult = Awaited<ReturnType<Bundles['rebuild']>>

function writeBuild(folder: string, { pages, server, sql, unloaded }: BuildResult): string {
  const program = server.outputFiles[0]?.contents ?? new Uint8Array()
  const files = pageFiles(pages, program, { quick: true, unloaded })
  for (const file of readdirSync(sql)) files.set(`${sql}/${file}`, readFileSync(join(sql, file)))
  files.set('names.json', Buffer.from(JSON.stringify([...files.keys()])))
  files.set('server.mjs', program)
  rmSync(folder, { recursive: true, force: true })
  for (const [name, content] of files) write(join(folder, name), content)
  return join(folder, 'server.mjs')
}

function write(file: string, content: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
