import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brandPlugin } from './cmd/build/plugins/brand-plugin.ts'
import {
  bundle,
  CompileError,
  launcherBundle,
  pagesBundle,
  programBundle,
} from './cmd/build/bundle/bundle.ts'
import { writeExecutable } from './cmd/build/executable/executable.ts'
import { Refusal } from './cmd/build/command-line.ts'
import { printDrawingTimes } from './cmd/build/bundle/drawing-times.ts'
import { frontendBuildOf, frontendNames, frontendPlugin } from './cmd/build/frontend-build.ts'
import { minifyScripts, minifierComment } from './cmd/build/bundle/minify.ts'
import { readOptions, type BuildOptions, type Manifest } from './cmd/build/options.ts'
import { argon2For, runtimeFor } from './cmd/build/licenses/packages.ts'
import { noticesText } from './cmd/build/licenses/notices.ts'
import { partsInside } from './cmd/build/licenses/parts.ts'
import { pageFiles, type Files, type PageBundles } from './cmd/build/pages.ts'
import { hattipPlugin } from './cmd/build/plugins/hattip-plugin.ts'
import {
  addonPlugin,
  contractPlugin,
  manifestPlugin,
  nodeModulesPlugin,
  sheetPlugin,
} from './cmd/build/plugins/plugins.ts'
import { frontendsPlugin, wordsPlugin } from './cmd/build/plugins/languages-plugin.ts'
import { defaultLanguage, languageNames } from './web/contract/languages.ts'
import { textsPlugin } from './cmd/build/plugins/texts-plugin.ts'
import { bomOf } from './cmd/build/licenses/sbom.ts'
import { printSizes } from './cmd/build/executable/sizes.ts'
import { isTarget, thisTarget } from './cmd/build/executable/targets.ts'
import { isOnServer } from './cmd/build/is-on-server.ts'
import { weigh } from './cmd/build/executable/weigh.ts'

// All paths below are relative to the project's folder.
process.chdir(import.meta.dirname)

try {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  const options = readOptions(process.argv.slice(2), manifest)
  const output = outputOf(options)
  if (!options.weigh) await makeExecutable(output, options, manifest)
  else if (!existsSync(output))
    throw new Refusal(`There is no ${output} to weigh: leave out --weigh, which builds it.`, 1)
  // A build for another platform does not run here.
  if (options.target === thisTarget() && !options.quiet) {
    const { heaviestLogin } = await frontendBuildOf(options.frontend)
    // Weighing starts the app, which would migrate the database named by DB_URL. Page weights do not depend on the
    // database.
    if (await isOnServer(options.database))
      console.log('login page over the wire: not weighed, which takes a server')
    else await weigh(output, heaviestLogin)
    await printDrawingTimes([...new Set([options.frontend, ...frontendNames])], manifest)
  }
} catch (error) {
  if (error instanceof Refusal) error.print()
  else if (error instanceof CompileError) new Refusal(error.message, 1).print()
  else throw error
}

/**
 * Returns the executable's path. Builds for other platforms are named differently, since the tests start this
 * platform's.
 */
function outputOf({ name, target }: BuildOptions): string {
  const ending = target.startsWith('win32') ? '.exe' : ''
  return target === thisTarget() ? `dist/${name}${ending}` : `dist/${name}-${target}${ending}`
}

async function makeExecutable(
  output: string,
  options: BuildOptions,
  manifest: Manifest,
): Promise<void> {
  const { target, frontend } = options
  const addons: Files = new Map()
  const argon2 = argon2For(target, manifest)
  const drawing = await frontendBuildOf(frontend)
  const pagesPlugins = [
    manifestPlugin(manifest),
    contractPlugin(frontend, drawing),
    frontendPlugin(drawing, 'browser'),
    brandPlugin,
    textsPlugin,
    sheetPlugin,
  ]
  const inEach = await Promise.all(
    languageNames.map(async (language) => {
      const plugins = [wordsPlugin(language), ...pagesPlugins]
      const pageOptions = pagesBundle({ ...options, plugins })
      return [
        language,
        await minifyScripts(await bundle({ ...pageOptions, banner: { js: minifierComment } })),
      ] as const
    }),
  )
  const pages = Object.fromEntries(inEach) as PageBundles
  const serverPlugins = [
    manifestPlugin(manifest),
    frontendPlugin(drawing, 'server'),
    frontendsPlugin(frontend, drawing),
    hattipPlugin,
    nodeModulesPlugin,
    addonPlugin(target, argon2, addons),
  ]
  const bundledProgram = await bundle(programBundle({ ...options, plugins: serverPlugins }))
  const program = only(bundledProgram.outputFiles).contents
  const launcher = only((await bundle(launcherBundle(options))).outputFiles).contents
  const runtime = runtimeFor(target, manifest)
  const host = thisTarget()
  const builder = isTarget(host) ? runtimeFor(host, manifest) : process.execPath
  const metafiles = [pages[defaultLanguage].metafile, bundledProgram.metafile]
  const parts = partsInside({ manifest, metafiles, argon2, runtime, builder })
  const files = new Map([
    ...pageFiles(pages, program, { unloaded: drawing.unloaded }),
    ...migrations(options.database),
    ...prefixed('addons/', addons),
    ['licenses.txt', Buffer.from(noticesText(manifest, parts))],
  ])
  await writeExecutable(output, { program, launcher, files, builder, runtime, target })
  const bom = bomOf(manifest, readFileSync(output), parts)
  writeFileSync(`${output}.cdx.json`, `${JSON.stringify(bom, null, 2)}\n`)
  if (!options.quiet)
    await printSizes(
      new Map([
        ...[...files].filter(([name]) => !/\.(br|gz)$/.test(name)),
        ['program bundle', program],
        ['runtime', readFileSync(runtime)],
        [output, readFileSync(output)],
      ]),
    )
  if (target.startsWith('darwin'))
    console.log(`macOS runs it once it is signed there: codesign --sign - ${output}`)
}

function migrations(database: string): Files {
  const folder = join('migrations', database)
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'))
  return new Map(
    files.map((file) => [`migrations/${database}/${file}`, readFileSync(join(folder, file))]),
  )
}

function prefixed(prefix: string, files: Files): Files {
  return new Map([...files].map(([name, content]) => [prefix + name, content]))
}

function only<Item>(items: readonly Item[]): Item {
  const [item] = items
  if (!item || items.length > 1) throw new Error(`One file was to be built, not ${items.length}.`)
  return item
}
