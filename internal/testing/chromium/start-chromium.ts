import { execFileSync } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { createBrotliDecompress } from 'node:zlib'
import { type Browser, chromium } from 'playwright-core'
import { disk, memory } from '../processes/folders.ts'

const cache = join(import.meta.dirname, '../../../node_modules/.cache')

/** Flags of Chromium: it reaches nothing outside this machine, and does no work of its own in the background. */
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--no-proxy-server',
  // One process for the pages of a context, and no spare one, which no test would use.
  '--renderer-process-limit=1',
]

/**
 * Starts the Chromium that CHROMIUM_PATH names, or that of the package, which brings its own libraries and fonts.
 * `more`: further flags.
 */
export async function startChromium(more: readonly string[] = []): Promise<Browser> {
  const named = process.env.CHROMIUM_PATH
  const { path, env } = named ? { path: named, env: {} } : await unpacked()
  return chromium.launch({
    executablePath: path,
    args: [...flags, ...more],
    // Lets its processes share memory in /dev/shm, and not by files on the disk.
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

/** Unpacks under another name and renames the folder when it is whole, since several tests may unpack at once. */
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
 * The configuration of fonts; the package's own names folders of another system, and without a font Chromium crashes.
 * Its cache lies outside `folder`: a Chromium that runs while packages are installed would make the folder again,
 * empty.
 */
function fontsOf(folder: string): string {
  return [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    `<dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${cache}/fonts</cachedir>`,
    '</fontconfig>',
  ].join('')
}
