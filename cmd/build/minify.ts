import manifest from 'terser/package.json' with { type: 'json' }
import { minify } from 'terser'
import type { Bundle } from './bundle.ts'

/** What begins each script before it is made small: so that its name, a hash, is another where another version does it. */
export const minifiedBy = `/* terser ${manifest.version} */`

/** Makes scripts smaller than esbuild does: by 3 % of what travels, which the login page needs (spec: Limits). */
export async function minified({ outputFiles, ...bundle }: Bundle): Promise<Bundle> {
  const smaller = outputFiles.map(async (file) =>
    file.path.endsWith('.js') ? { ...file, contents: await smallerOf(file.contents) } : file,
  )
  return { ...bundle, outputFiles: await Promise.all(smaller) }
}

async function smallerOf(script: Uint8Array): Promise<Uint8Array> {
  const { code } = await minify(Buffer.from(script).toString(), {
    module: true,
    ecma: 2022,
    compress: { ecma: 2022, passes: 3 },
    format: { comments: false },
  })
  if (code === undefined) throw new Error('A script could not be made smaller.')
  return Buffer.from(code)
}
