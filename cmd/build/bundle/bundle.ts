import {
  build,
  context,
  formatMessages,
  stop,
  transformSync,
  type BuildFailure,
  type BuildOptions,
  type BuildResult,
  type Message,
  type Metafile,
  type Plugin,
} from 'esbuild'
import { languageNames } from '../../../web/contract/languages.ts'
import { wrapping } from '../../../internal/base/program/bundled-program.ts'
import { entryOf } from './entry.ts'

// The only file that imports esbuild.
export type { Metafile, Plugin }

/** Browsers since 2024: they support `light-dark()` in stylesheets, the newest feature that pages use. */
const browsers = ['chrome123', 'edge123', 'firefox128', 'safari17.5']

interface BundleOptions {
  readonly frontend: string
  readonly database: string
  readonly plugins: Plugin[]
}

type Options = BuildOptions & { write: false; metafile: true }

export interface Bundle {
  readonly metafile: Metafile
  readonly outputFiles: readonly { readonly path: string; readonly contents: Uint8Array }[]
}

/** The code does not compile. The message lists each error with its place, for a developer. */
export class CompileError extends Error {
  override readonly name = 'CompileError'
}

/** Bundles once. Throws a CompileError. */
export async function bundle(options: Options): Promise<Bundle> {
  return build(options).then(throwWarnings, throwCompileError)
}

/** Returns a function that bundles what has changed since its last call. Throws a CompileError. */
export async function openBundler(options: Options) {
  const bundler = await context(options)
  return {
    rebuild: (): Promise<Bundle> => bundler.rebuild().then(throwWarnings, throwCompileError),
    close: () => bundler.dispose(),
  }
}

/** Compiles TypeScript to JavaScript. Imports stay, even unused ones. */
export function stripTypes(text: string): string {
  const compilerOptions = { verbatimModuleSyntax: true }
  return transformSync(text, { loader: 'ts', tsconfigRaw: { compilerOptions } }).code
}

/** Ends esbuild's process, which would outlive this one by a second. Nothing can be bundled afterwards. */
export async function endBundling(): Promise<void> {
  await stop()
}

// Warnings count as errors: esbuild only warns of a stylesheet that browsers could not read completely.
async function throwWarnings<Result extends BuildResult>(result: Result): Promise<Result> {
  if (result.warnings.length > 0) throw await compileError(result.warnings)
  return result
}

async function throwCompileError(error: unknown): Promise<never> {
  const { errors } = error as Partial<BuildFailure>
  throw errors ? await compileError(errors) : error
}

async function compileError(faults: Message[]): Promise<CompileError> {
  return new CompileError((await formatMessages(faults, { kind: 'error' })).join('\n').trim())
}

/**
 * The bundle of the pages: their modules, with shared ones split off, and the stylesheets, each with a hash in its
 * name.
 */
export function pagesBundle({ frontend, plugins }: BundleOptions): Options {
  return {
    entryPoints: [
      { in: entryOf(frontend), out: 'browser' },
      { in: 'web/style.css', out: 'style' },
      { in: 'brand:icon', out: 'icon' },
      ...languageNames.map((language) => {
        const name = `social-${language}`
        return { in: `web/brand/${name}.png`, out: name }
      }),
    ],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: browsers,
    minify: true,
    legalComments: 'none',
    loader: { '.svg': 'copy', '.woff2': 'copy', '.png': 'copy' },
    outdir: 'assets',
    publicPath: '/assets',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    conditions: [frontend],
    // Not the project's tsconfig.json, which would keep unused imports and everything they import.
    tsconfigRaw: {},
    plugins,
    metafile: true,
    write: false,
    logLevel: 'silent',
  }
}

/**
 * The server's code as one module, to which the caller adds the entry. Names are not shortened, to keep stacks
 * readable.
 */
export function serverBundle({ frontend, database, plugins }: BundleOptions): Options {
  return {
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node26',
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    conditions: [database, frontend],
    outfile: 'server.mjs',
    plugins,
    metafile: true,
    write: false,
    logLevel: 'silent',
  }
}

/** The bundle of the executable's program, in its wrapper. */
export function programBundle(options: BundleOptions): Options {
  const [head, tail] = wrapping
  return {
    ...serverBundle(options),
    entryPoints: ['cmd/app/program.ts'],
    format: 'cjs',
    define: { 'import.meta.dirname': '__dirname' },
    banner: { js: head },
    footer: { js: tail },
  }
}

/** The bundle of the executable's entry, which opens the program. */
export function launcherBundle(options: Omit<BundleOptions, 'plugins'>): Options {
  const entryPoints = ['cmd/app/executable.ts']
  return { ...serverBundle({ ...options, plugins: [] }), entryPoints, format: 'cjs' }
}
