import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getRawAsset, getAssetKeys, isSea } from 'node:sea'
import { appName } from '../../../web/contract/name.ts'

/** The files that the build put beside the program, by name: pages, migrations, add-ons. */
export interface Embedded {
  /** Content of a file, never to be written to. Throws when the build put no such file in. */
  read(name: string): Uint8Array
  names(): readonly string[]
}

/** What the running program carries: inside the executable, or in the folder of the development runner. */
export function embedded(): Embedded {
  return isSea() ? inExecutable : inFolder(import.meta.dirname)
}

const inExecutable: Embedded = {
  read: (name) => new Uint8Array(getRawAsset(name)),
  names: getAssetKeys,
}

/** Files of a folder that the build filled. `names.json` there lists them. */
export function inFolder(folder: string): Embedded {
  const list = join(folder, 'names.json')
  if (!existsSync(list))
    throw new Error(
      `There is no build in ${folder}. Run \`npm run build\`, and dist/${appName} with the same words.`,
    )
  return {
    read: (name) => readFileSync(join(folder, name)),
    names: () => JSON.parse(readFileSync(list, 'utf8')) as string[],
  }
}
