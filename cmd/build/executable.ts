import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { withoutSymbols } from './elf.ts'
import type { Files } from './pages.ts'
import { thisTarget, type Target } from './targets.ts'

const cache = 'node_modules/.cache'

interface Parts {
  readonly server: Uint8Array
  readonly files: Files
  /** Paths of the runtimes: the one that builds, and the one that becomes the executable. */
  readonly builder: string
  readonly runtime: string
  readonly target: Target
}

/** Writes the executable: the runtime with the server and the files inside. The same parts give the same bytes. */
export function writeExecutable(output: string, parts: Parts): void {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'build-'))
  try {
    writeParts(folder, parts)
    // V8 keeps its hash seed in the code cache: a fixed one makes two builds the same.
    const flags = ['--predictable', '--random-seed=1']
    const args = [...flags, '--build-sea', 'sea.json']
    execFileSync(resolve(parts.builder), args, { cwd: folder, stdio: 'pipe' })
    mkdirSync(dirname(output), { recursive: true })
    // Moved into place, so that one that is running goes on undisturbed.
    renameSync(join(folder, 'app'), output)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function writeParts(folder: string, parts: Parts): void {
  const write = (name: string, content: Uint8Array | string) => {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content, { mode: 0o755 })
  }
  write('server.mjs', parts.server)
  for (const [name, content] of parts.files) write(`files/${name}`, content)
  write('runtime', withoutSymbols(readFileSync(parts.runtime)))
  write('sea.json', JSON.stringify(config(parts)))
}

function config({ files, target }: Parts) {
  return {
    main: 'server.mjs',
    mainFormat: 'module',
    executable: 'runtime',
    output: 'app',
    disableExperimentalSEAWarning: true,
    // The cache holds machine code's forerunner for one runtime: only the builder's own.
    useCodeCache: target === thisTarget(),
    // Security rule 18.
    execArgv: ['--disable-proto=delete'],
    execArgvExtension: 'none',
    assets: Object.fromEntries(
      [...files.keys()].toSorted().map((name) => [name, join('files', name)]),
    ),
  }
}
