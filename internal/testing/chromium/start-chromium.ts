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

/** Chromium's flags: no access beyond this machine, and no background activity of its own. */
const flags = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-gpu',
  '--no-proxy-server',
  // One process for the pages of a context, and no spare one, which tests would not use.
  '--renderer-process-limit=1',
]

/**
 * Starts the Chromium named by CHROMIUM_PATH, or the package's, which brings its own libraries and fonts. `more`:
 * additional flags.
 */
export async function startChromium(extraFlags: readonly string[] = []): Promise<Browser> {
  const configuredPath = process.env.CHROMIUM_PATH
  const { path, env } = configuredPath
    ? { path: configuredPath, env: {} }
    : await packagedChromium()
  return chromium.launch({
    executablePath: path,
    args: [...flags, ...extraFlags],
    // Lets its processes share memory through /dev/shm rather than files on disk.
    ignoreDefaultArgs: memory === disk ? [] : ['--disable-dev-shm-usage'],
    // Nothing from this process: a proxy or a display must not be inherited.
    env: { HOME: tmpdir(), ...env },
  })
}

interface PackagedChromium {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
}

async function packagedChromium(): Promise<PackagedChromium> {
  const root = packageFolder()
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const folder = join(cache, `chromium-${version}`)
  if (!existsSync(folder)) await unpack(join(root, 'bin'), folder)
  // Its own libraries and fonts on every machine: a minimal one has none.
  const env = { LD_LIBRARY_PATH: join(folder, 'lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') }
  return { path: join(folder, 'chromium'), env }
}

function packageFolder(): string {
  const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'))
  return dirname(dirname(entry))
}

/** Unpacks under another name, then renames the complete folder, since several tests may unpack at once. */
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
 * Returns the font configuration: the package's own names another system's folders, and without a font Chromium
 * crashes. Its cache is outside `folder`: a Chromium running while packages are being installed would recreate that
 * folder, empty.
 */
function fontsOf(folder: string): string {
  return [
    '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>',
    `<dir>${folder}/fonts</dir><dir>/usr/share/fonts</dir><cachedir>${cache}/fonts</cachedir>`,
    '</fontconfig>',
  ].join('')
}
