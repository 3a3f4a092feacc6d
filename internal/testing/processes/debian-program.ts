import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

// A download takes up to a minute, in which the tests' process must answer.
const execute = promisify(execFile)

/** A program of a Debian package. */
export interface DebianProgram {
  readonly command: readonly string[]
  /** Where the package is unpacked, instead of `/usr`. */
  readonly base: string
}

/**
 * Returns a program of a package of Debian unstable, which is downloaded once and unpacked with its dependencies into
 * a folder of its own. `program`: its path in `/usr`. Throws with advice if it cannot be fetched.
 */
export async function debianProgram(packageName: string, program: string): Promise<DebianProgram> {
  const target = resolve(import.meta.dirname, '../../../node_modules/.cache', packageName)
  if (!existsSync(target)) await fetchInto(target, packageName)
  const [libraries = ''] = globSync(join(target, 'usr/lib/*-linux-gnu'))
  const [loader = ''] = globSync(join(libraries, 'ld-linux-*.so.*'))
  const base = join(target, 'usr')
  return { command: [loader, '--library-path', libraries, join(base, program)], base }
}

async function fetchInto(target: string, packageName: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'debian-packages-'))
  try {
    chmodSync(folder, 0o755)
    const apt = aptOf(folder)
    await apt('update')
    await apt('install', '--yes', '--no-install-recommends', '--download-only', packageName)
    const fresh = join(folder, 'unpacked')
    for (const archive of globSync(join(folder, 'archives/*.deb')))
      await execute('dpkg-deb', ['--extract', archive, fresh])
    mkdirSync(join(target, '..'), { recursive: true })
    // Copied under another name, and renamed once complete.
    rmSync(`${target}.fresh`, { recursive: true, force: true })
    await execute('cp', ['-a', fresh, `${target}.fresh`])
    renameSync(`${target}.fresh`, target)
  } catch (cause) {
    throw new Error(
      `Debian’s ${packageName} could not be fetched: install it, or run this on a Debian with a mirror that answers.`,
      { cause },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Returns the URL of this machine's mirror of Debian; undefined on another system. */
export function debianMirror(): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return undefined
  // Without the release files, which apt may not have downloaded yet.
  const query = ['indextargets', '--no-release-info', '--format', '$(SITE)']
  const sites = execFileSync('apt-get', query, { encoding: 'utf8' })
  return sites.split('\n').find((site) => /\/debian\/?$/.test(site))
}

/**
 * Returns apt with this machine's mirror and Debian unstable, the only release that has every such program; changes
 * nothing of the machine's.
 */
function aptOf(folder: string): (...args: string[]) => Promise<unknown> {
  const mirror = debianMirror()
  if (mirror === undefined) throw new Error('This machine has no mirror of Debian.')
  for (const name of ['lists/partial', 'archives/partial'])
    mkdirSync(join(folder, name), { recursive: true })
  const signed = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(join(folder, 'sources.list'), `deb [signed-by=${signed}] ${mirror} sid main\n`)
  // No package counts as installed, so that apt downloads everything that the program needs.
  writeFileSync(join(folder, 'status'), '')
  const settings = [
    `Dir::Etc::SourceList=${folder}/sources.list`,
    'Dir::Etc::SourceParts=/dev/null',
    `Dir::State::Lists=${folder}/lists`,
    `Dir::State::status=${folder}/status`,
    `Dir::Cache::archives=${folder}/archives`,
    'Dir::Cache::pkgcache=',
    'Dir::Cache::srcpkgcache=',
    'Acquire::Languages=none',
    'APT::Sandbox::User=root',
    'Debug::NoLocking=true',
  ]
  const options = settings.flatMap((setting) => ['--option', setting])
  return (...words) => execute('apt-get', ['--quiet', '--quiet', ...options, ...words])
}
