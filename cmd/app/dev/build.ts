import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pagesBundle, rebundling, serverBundle } from '../../build/bundle.ts'
import { readOptions, type Manifest } from '../../build/options.ts'
import { pageFiles } from '../../build/pages.ts'
import { manifestPlugin } from '../../build/plugins.ts'

/**
 * Builds the server and its pages into a folder as `build.ts` builds them into the executable, but quickly: packages
 * stay in node_modules, nothing is compressed. `again` throws a CompileError.
 */
export async function startBuilding(folder: string) {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest
  const choices = { ...readOptions([], manifest), plugins: [manifestPlugin(manifest)] }
  const inject = [join(import.meta.dirname, 'page.ts')]
  const pages = await rebundling({ ...pagesBundle(choices), inject, sourcemap: 'inline' })
  const server = await rebundling({
    ...serverBundle(choices),
    packages: 'external',
    minifySyntax: false,
    minifyWhitespace: false,
    sourcemap: 'inline',
    banner: {},
  })
  return {
    /** Path of the server to run. */
    async again(): Promise<string> {
      const [madePages, madeServer] = await Promise.all([pages.again(), server.again()])
      const program = madeServer.outputFiles[0]?.contents ?? new Uint8Array()
      const files = pageFiles(madePages, program, true)
      const sql = join('migrations', choices.database)
      for (const file of readdirSync(sql))
        files.set(`${sql}/${file}`, readFileSync(join(sql, file)))
      files.set('names.json', Buffer.from(JSON.stringify([...files.keys()])))
      files.set('server.mjs', program)
      rmSync(folder, { recursive: true, force: true })
      for (const [name, content] of files) write(join(folder, name), content)
      return join(folder, 'server.mjs')
    },
    close: () => Promise.all([pages.close(), server.close()]),
  }
}

function write(file: string, content: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, content)
}
