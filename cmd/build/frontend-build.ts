import { globSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageName } from '../../web/contract/pages.ts'
import type { Plugin } from './bundle/bundle.ts'

/** Where a module of the pages runs. */
export type Side = 'browser' | 'server'

/** How the sources of a frontend are built. */
export interface FrontendBuild {
  /** Sets up esbuild for the frontend's language and packages, apart from the files that `compile` reads. */
  readonly plugin: (side: Side) => Plugin
  /** Compiles a file of the frontend's own language to JavaScript; undefined if all is written in TypeScript. */
  readonly compile?: (path: string, text: string, side: Side) => string
  /** The extension of the files that `compile` takes, with the dot. */
  readonly compiledExtension?: string
  /** Source that is appended to a module of the pages when the executable is built. */
  readonly addedToPage: (path: string) => string
  /** Pages that stay as the server drew them: the browser loads no component for them until they are drawn anew. */
  readonly unloaded?: readonly PageName[]
  /** The most bytes that the login page, with all that it loads, may have over the wire. */
  readonly heaviestLogin: number
}

/** The frontends that there is code for: those with a folder in `web/` that says how the server draws. */
export const frontendNames: readonly string[] = globSync('*/server.{ts,tsx}', {
  cwd: join(import.meta.dirname, '../../web'),
})
  .map((file) => dirname(file))
  .toSorted()

/** How the frontend of this name is built, by its file in `frontends/`. */
export async function frontendBuildOf(frontend: string): Promise<FrontendBuild> {
  // By an absolute address: the configuration of the tests imports this, is bundled, and then lies in another folder.
  const file = join(import.meta.dirname, 'frontends', `${frontend}.ts`)
  const module = (await import(pathToFileURL(file).href)) as { frontendBuild: FrontendBuild }
  return module.frontendBuild
}

/** A source of the pages as esbuild takes it, with the fault if it does not compile. */
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
type Thrown = Error & { readonly loc?: { readonly start?: Place }; readonly start?: Place }

function faultIn(file: string, text: string, error: unknown) {
  const { message, loc, start = loc?.start } = error as Thrown
  if (!start) return { text: message }
  const lineText = text.split('\n')[start.line - 1] ?? ''
  // Compilers that give `loc` count columns from 1; esbuild counts from 0.
  const column = loc ? start.column - 1 : start.column
  return { text: message, location: { file, line: start.line, column, lineText } }
}

/** Has esbuild read the frontend's files, also those in its own language. */
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
