import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isSea } from 'node:sea'
import { appName } from '../../../web/contract/name.ts'
import { inExecutable } from './in-executable.ts'

/** The files that the build put beside the program, by name: pages, migrations, add-ons. */
export interface Embedded {
  /** Returns the content of a file, never to be written to. Throws if the build embedded no such file. */
  read(name: string): Uint8Array
  /**
   * Passes the content of a large file that is needed once to `use`: valid only until that returns, and freed
   * then. `read` would leave it counted as memory of the process on Linux, since it reads the mapped
   * executable: 6 MB for program and add-ons.
   */
  withContent<Result>(name: string, use: (content: Buffer) => Result): Result
  names(): readonly string[]
}

/** Returns the running program's files: inside the executable, or in the development runner's folder. */
export function embedded(): Embedded {
  return isSea() ? inExecutable : inFolder(import.meta.dirname)
}

/** Returns the files of a folder that the build filled. `names.json` there lists them. */
export function inFolder(folder: string): Embedded {
  const list = join(folder, 'names.json')
  if (!existsSync(list))
    throw new Error(
      `There is no build in ${folder}. Run \`npm run build\`, and dist/${appName} with the same words.`,
    )
  const read = (name: string) => readFileSync(join(folder, name))
  return {
    read,
    withContent: (name, use) => use(read(name)),
    names: () => JSON.parse(readFileSync(list, 'utf8')) as string[],
  }
}
