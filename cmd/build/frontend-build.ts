import { globSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageName } from '../../web/contract/pages.ts'
import type { Plugin } from './bundle/bundle.ts'

/** Where a module of the pages runs. */
export type Side = 'browser' | 'server'

/** How a frontend's sources are built. */
export interface FrontendBuild {
  /** Sets up esbuild for the frontend's language and packages, except for the files that `compile` reads. */
  readonly plugin: (side: Side) => Plugin
  /** Compiles a file of the frontend's own language to JavaScript; undefined if everything is TypeScript. */
  readonly compile?: (path: string, text: string, side: Side) => string
  /** The extension of the files that `compile` takes, with the dot. */
  readonly compiledExtension?: string
  /** Returns source that is appended to a module of the pages when the executable is built. */
  readonly addedToPage: (path: string) => string
  /**
   * Pages that stay as the server rendered them: the browser loads no component for them until they are rendered
   * again.
   */
  readonly unloaded?: readonly PageName[]
  /** The most bytes over the wire for the login page with everything it loads. */
  readonly heaviestLogin: number
}

/** The available frontends: those with a folder in `web/` that says how the server renders. */
export const frontendNames: readonly string[] = globSync('*/server.{ts,tsx}', {
  cwd: join(import.meta.dirname, '../../web'),
})
  .map((file) => dirname(file))
  .toSorted()

/** Returns how a frontend is built, from its file in `frontends/`. */
export async function frontendBuildOf(frontend: string): Promise<FrontendBuild> {
  // By an absolute path: the tests' configuration imports this module, is bundled, and is then in another folder.
  const file = join(import.meta.dirname, 'frontends', `${frontend}.ts`)
  const module = (await import(pathToFileURL(file).href)) as { frontendBuild: FrontendBuild }
  return module.frontendBuild
}

/** Returns a source of the pages for esbuild, with the error if it does not compile. */
export function readSource(
  path: string,
  { compile, compiledExtension }: FrontendBuild,
  side: Side,
) {
  const text = readFileSync(path, 'utf8')
  if (compile && extname(path) === compiledExtension) {
    try {
      return { contents: compile(path, text, side), loader: 'js' as const }
    } catch (error) {
      return { contents: '', loader: 'js' as const, errors: [faultIn(path, text, error)] }
    }
  }
  return { contents: text, loader: extname(path) === '.tsx' ? ('tsx' as const) : ('ts' as const) }
}

interface Place {
  readonly line: number
  readonly column: number
}

/** An error of a frontend's compiler: some have the place as `loc.start`, some as `start`. */
type CompilerError = Error & { readonly loc?: { readonly start?: Place }; readonly start?: Place }

function faultIn(file: string, text: string, error: unknown) {
  const { message, loc, start = loc?.start } = error as CompilerError
  if (!start) return { text: message }
  const lineText = text.split('\n')[start.line - 1] ?? ''
  // Compilers that give `loc` count columns from 1; esbuild counts from 0.
  const column = loc ? start.column - 1 : start.column
  return { text: message, location: { file, line: start.line, column, lineText } }
}

/** Makes esbuild read the frontend's files, including those in its own language. */
export function frontendPlugin(frontend: FrontendBuild, side: Side): Plugin {
  return {
    name: 'frontend',
    async setup(build) {
      await frontend.plugin(side).setup(build)
      const { compiledExtension } = frontend
      if (compiledExtension)
        build.onLoad({ filter: new RegExp(`\\${compiledExtension}$`) }, ({ path }) => ({
          ...readSource(path, frontend, side),
          resolveDir: dirname(path),
        }))
    },
  }
}
