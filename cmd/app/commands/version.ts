import manifest from '../../../package.json' with { type: 'json' }
import { openAssets } from '../../../internal/base/program/open-assets.ts'

/** Prints the version of package.json and the build, a hash of what is served. */
export async function printVersion(): Promise<number> {
  console.log(`${manifest.name} ${manifest.version} (build ${openAssets().version})`)
  return 0
}
