import { execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { disk, memory } from './folders.ts'

const cache = join(import.meta.dirname, '../../node_modules/.cache')

/** Nothing outside this machine, and no work of the browser's own beside the pages. */
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--no-proxy-server',
  // One process for the pages of a context, and none kept ready beside it that no test comes to.
  '--renderer-process-limit=1',
]

/**
 * Starts the Chromium that CHROMIUM_PATH names, or the one of the package, which needs nothing of the machine:
 * it brings its libraries and fonts along. It takes more flags.
 */
export async function startChromium(more: readonly string[] = []): Promise<Browser> {
  const named = process.env.CHROMIUM_PATH
  const { path, env } = named ? { path: named, env: {} } : await unpacked()
  return chromium.launch({
    executablePath: path,
    args: [...flags, ...more],
    // What its processes share lies in memory, and not in files on the disk.
    ignoreDefaultArgs: memory === disk ? [] : ['--disable-dev-shm-usage'],
    // Nothing of this process: a proxy or a display must not come along.
    env: { HOME: tmpdir(), ...env },
  })
}

interface Unpacked {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

async function unpacked(): Promise<Unpacked> {
  const root = packageFolder()
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) await unpack(join(root, 'bin'), folder)
  // Its own libraries and fonts on every machine: a bare one has none.
  const env = { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  return { path: join(folder, 'chromium'), env }
}

function packageFolder(): string {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  return dirname(dirname(entry))
}

/** Several tests may unpack at once: each does so beside, and the folder has its name only when it is whole. */
async function unpack(from: string, to: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(`${to}-`)
  const inflate = (name: string, as: string) =>
    pipeline(
      createReadStream(join(from, name)),
      createBrotliDecompress(),
      createWriteStream(join(folder, as), { mode: 0o755 }),
    )
  const archives = ['al2023', 'fonts', 'swiftshader']
  await Promise.all([
    inflate('chromium.br', 'chromium'),
    ...archives.map((name) => inflate(`${name}.tar.br`, `${name}.tar`)),
  ])
  for (const name of archives) execFileSync('tar', ['-xf', `${name}.tar`], { cwd: folder })
  await writeFile(join(folder, 'fonts.conf'), fontsOf(to))
  await rename(folder, to).catch(async (error: unknown) => {
    await rm(folder, { recursive: true })
    if (!existsSync(to)) throw error
  })
}

/**
 * The package's own names folders of another system. Without a font Chromium ends itself. What it keeps of them lies
 * beside: one that still runs while packages are installed anew would make the folder again, with nothing else in it.
 */
function fontsOf(folder: string): string {
  return [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    `<dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${cache}/fonts</cachedir>`,
    '</fontconfig>',
  ].join('')
}
