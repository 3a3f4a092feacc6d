import type { Plugin } from './bundle.ts'

/** How the sources of a frontend are built. */
export interface FrontendBuild {
  /** Reads its language, for the browser and for the server. */
  readonly plugin: Plugin
  /** What the source of a module is followed by in the pages of the executable. */
  readonly addedToPage: (path: string) => string
}

/** That of the frontend of this name: its file in `frontends/`. */
export async function frontendBuildOf(frontend: string): Promise<FrontendBuild> {
  const found = (await import(`./frontends/${frontend}.ts`)) as { frontendBuild: FrontendBuild }
  return found.frontendBuild
}
