import { globSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { PageName } from '../../web/contract/pages.ts'
import type { Plugin } from './bundle.ts'

/** What a module of the pages is made for. */
export type Side = 'browser' | 'server'

/** How the sources of a frontend are built. */
export interface FrontendBuild {
  /** Tells esbuild of its language and of its packages. What `compile` reads needs nothing here. */
  readonly plugin: (side: Side) => Plugin
  /** The module, in JavaScript, of a file of its own language; undefined where TypeScript alone is written. */
  readonly compile?: (path: string, text: string, side: Side) => string
  /** Which files that are, by how their names end, with the dot. */
  readonly compiled?: string
  /** What the source of a module is followed by in the pages of the executable. */
  readonly addedToPage: (path: string) => string
  /** The pages that the browser shows as the server drew them, and loads nothing for until they are drawn anew. */
  readonly unloaded?: readonly PageName[]
  /** Bytes of the login page with all that it loads at most, over the wire. */
  readonly heaviestLogin: number
}

/** The frontends that there is code for: those with a folder in `web/` that says how the server draws. */
export const frontendNames: readonly string[] = globSync('*/server.{ts,tsx}', {
  cwd: join(import.meta.dirname, '../../web'),
})
  .map((file) => dirname(file))
  .toSorted()

/** That of the frontend of this name: its file in `frontends/`. */
export async function frontendBuildOf(frontend: string): Promise<FrontendBuild> {
  // By its whole address: the configuration of the tests is bundled, and then lies elsewhere.
  const file = join(import.meta.dirname, 'frontends', `${frontend}.ts`)
  const found = (await import(pathToFileURL(file).href)) as { frontendBuild: FrontendBuild }
  return found.frontendBuild
}

/** A source of the pages as esbuild takes it, or what is wrong with it. */
export function readSource(path: string, { compile, compiled }: FrontendBuild, side: Side) {
  const text = readFileSync(path, 'utf8')
  if (compile && extname(path) === compiled) {
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

/** What compilers throw: with the place, by the one name or by the other. */
type Thrown = Error & { readonly loc?: { readonly start?: Place }; readonly start?: Place }

function faultIn(file: string, text: string, error: unknown) {
  const { message, loc, start = loc?.start } = error as Thrown
  if (!start) return { text: message }
  const lineText = text.split('\n')[start.line - 1] ?? ''
  // Some count columns from 1.
  const column = loc ? start.column - 1 : start.column
  return { text: message, location: { file, line: start.line, column, lineText } }
}

/** Reads all that a frontend is written in. */
export function frontendPlugin(frontend: FrontendBuild, side: Side): Plugin {
  return {
    name: 'frontend',
    async setup(build) {
      await frontend.plugin(side).setup(build)
      const { compiled } = frontend
      if (compiled)
        build.onLoad({ filter: new RegExp(`\\${compiled}$`) }, ({ path }) => ({
          ...readSource(path, frontend, side),
          resolveDir: dirname(path),
        }))
    },
  }
}
