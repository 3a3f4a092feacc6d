import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { environment } from '../../../internal/base/settings/config.ts'
import { names } from '../../../internal/base/program/bundled-program.ts'
import { placesFile } from '../../../internal/base/program/in-executable.ts'
import { stripSymbols } from './elf.ts'
import type { Files } from '../pages.ts'
import { placesPlaceholder, writePlaces } from '../bundle/places.ts'
import { thisTarget, type Target } from './targets.ts'

/**
 * Node flags of the executable (security rule 18). Without the second, SIGUSR1, which log rotation sends to many
 * programs, would open a debugger through which every user of the machine could read the memory.
 */
export const flags = ['--disable-proto=delete', '--disable-sigusr1']

interface Parts {
  readonly program: Uint8Array
  /** The executable's entry, which opens the program. */
  readonly launcher: Uint8Array
  readonly files: Files
  /** The runtimes' paths: the one that builds, and the one that becomes the executable. */
  readonly builder: string
  readonly runtime: string
  readonly target: Target
}

/**
 * Writes the executable: the runtime with the server and the files inside. Reproducible: the same parts give the same
 * bytes.
 */
export async function writeExecutable(output: string, parts: Parts): Promise<void> {
  mkdirSync(dirname(output), { recursive: true })
  // On the same disk, so that the executable can be renamed from there.
  const folder = mkdtempSync(join(dirname(output), '.build-'))
  try {
    writeParts(folder, parts)
    const builder = resolve(parts.builder)
    if (canEmbedCode(parts)) await keepCode(builder, folder)
    execFileSync(builder, ['--build-sea', 'sea.json'], { cwd: folder, stdio: 'pipe' })
    writePlaces(join(folder, 'app'), partsReadOnce(folder, parts))
    // Moved into place, so that a running executable is not changed.
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
  write('launcher.cjs', parts.launcher)
  write(names.source, parts.program)
  for (const [name, content] of parts.files) write(`files/${name}`, content)
  // For `keepCode`, which runs the program in this folder: it finds its files by this list, as in development.
  write('files/names.json', JSON.stringify([...parts.files.keys()]))
  write('runtime', stripSymbols(readFileSync(parts.runtime)))
  write(placesFile, placesPlaceholder)
  write('sea.json', JSON.stringify(config(parts)))
}

/** The large parts that are read once, at the start (`Embedded.withContent`). */
function partsReadOnce(folder: string, parts: Parts): Map<string, Uint8Array> {
  const addons = [...parts.files].filter(([name]) => name.startsWith('addons/'))
  const code = canEmbedCode(parts)
    ? [[names.code, readFileSync(join(folder, names.code))] as const]
    : []
  return new Map<string, Uint8Array>([...addons, [names.source, parts.program], ...code])
}

function config(parts: Parts) {
  const files = [...parts.files.keys()].toSorted().map((name) => [name, join('files', name)])
  const partNames = [placesFile, names.source, ...(canEmbedCode(parts) ? [names.code] : [])]
  return {
    main: 'launcher.cjs',
    executable: 'runtime',
    output: 'app',
    disableExperimentalSEAWarning: true,
    execArgv: flags,
    execArgvExtension: 'none',
    assets: Object.fromEntries([...files, ...partNames.map((name) => [name, name])]),
  }
}

/** Whether compiled code can be embedded: V8's code only fits the runtime that compiled it, the builder's. */
function canEmbedCode({ target }: Parts): boolean {
  return target === thisTarget()
}

/**
 * Starts the program in a folder, and writes the code that V8 compiled beside it. Reproducible: the same program gives
 * the same code.
 */
export async function keepCode(builder: string, folder: string): Promise<void> {
  // The code also contains V8's hash seed.
  const deterministic = ['--predictable', '--random-seed=1']
  const env = await settingsOfStart()
  for (const program of ['keep-code.ts', 'order-code.ts']) {
    const args = [...deterministic, join(import.meta.dirname, program)]
    execFileSync(builder, args, { cwd: folder, env, stdio: 'pipe', ...limits })
  }
}

// Milliseconds. A program in an endless loop would not react to SIGTERM.
const limits = { timeout: 60_000, killSignal: 'SIGKILL' } as const

/** The settings that a server and the system need. None of the developer's: the start would migrate their database. */
async function settingsOfStart(): Promise<NodeJS.ProcessEnv> {
  const port = await freePort()
  const { TEMP, SystemRoot } = environment()
  return {
    // Both make the same functions run each time: no second folder is tried for add-ons, and no job runs.
    TMPDIR: '.',
    QUEUE_WORKERS: '0',
    TEMP,
    SystemRoot,
    APP_KEY: `base64:${Buffer.alloc(32, 'key').toString('base64')}`,
    APP_URL: `http://localhost:${port}`,
    PORT: String(port),
  }
}
