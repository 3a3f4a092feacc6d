import { execFileSync } from 'node:child_process'
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

const cacheFolder = resolve(import.meta.dirname, '../../../node_modules/.cache/mysql')

/** How to start a MySQL server: its command with the first arguments, and the folder of its files. */
export interface Program {
  readonly command: readonly string[]
  readonly base: string
}

/**
 * Returns this machine's MySQL server, or else Debian's newest, which is downloaded once and unpacked with its
 * dependencies into a folder of its own. Throws with advice if there is none.
 */
export function mysqlProgram(): Program {
  const installed = ['/usr/sbin/mysqld', '/usr/libexec/mysqld'].find(isMysql)
  if (installed) return { command: [installed], base: '/usr' }
  if (!existsSync(cacheFolder)) fetchInto(cacheFolder)
  const [libraries = ''] = globSync(join(cacheFolder, 'usr/lib/*-linux-gnu'))
  const [loader = ''] = globSync(join(libraries, 'ld-linux-*.so.*'))
  const program = join(cacheFolder, 'usr/sbin/mysqld')
  return { command: [loader, '--library-path', libraries, program], base: join(cacheFolder, 'usr') }
}

/** Excludes MariaDB, whose program has this name too. */
function isMysql(program: string): boolean {
  if (!existsSync(program)) return false
  const output = execFileSync(program, ['--no-defaults', '--version'], { encoding: 'utf8' })
  return !output.includes('MariaDB')
}

function fetchInto(target: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'mysql-packages-'))
  try {
    chmodSync(folder, 0o755)
    const apt = aptOf(folder)
    apt('update')
    apt('install', '--yes', '--no-install-recommends', '--download-only', 'mysql-server-core')
    const fresh = join(folder, 'unpacked')
    for (const archive of globSync(join(folder, 'archives/*.deb')))
      execFileSync('dpkg-deb', ['--extract', archive, fresh])
    mkdirSync(join(target, '..'), { recursive: true })
    // Copied under another name, and renamed once complete.
    rmSync(`${target}.fresh`, { recursive: true, force: true })
    execFileSync('cp', ['-a', fresh, `${target}.fresh`])
    renameSync(`${target}.fresh`, target)
  } catch (cause) {
    throw new Error(
      'There is no MySQL on this machine, and Debian’s could not be fetched: install mysql-server-core, or set DB_URL to a MySQL 8.4 or newer.',
      { cause },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Returns apt with this machine's mirror and Debian unstable, the only release with MySQL; changes nothing of the
 * machine's.
 */
function aptOf(folder: string): (...args: string[]) => void {
  // Without the release files, which apt may not have downloaded yet.
  const query = ['indextargets', '--no-release-info', '--format', '$(SITE)']
  const sites = execFileSync('apt-get', query, { encoding: 'utf8' })
  const mirror = sites.split('\n').find((site) => /\/debian\/?$/.test(site))
  if (!mirror) throw new Error('This machine has no mirror of Debian.')
  for (const name of ['lists/partial', 'archives/partial'])
    mkdirSync(join(folder, name), { recursive: true })
  const signed = '/usr/share/keyrings/debian-archive-keyring.gpg'
  writeFileSync(join(folder, 'sources.list'), `deb [signed-by=${signed}] ${mirror} sid main\n`)
  // No package counts as installed, so that apt downloads everything that MySQL needs.
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
  return (...words) => {
    execFileSync('apt-get', ['--quiet', '--quiet', ...options, ...words], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
  }
}
