import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs a program, and returns its standard output. Throws with its standard error if it fails. */
export function output(program: string, args: readonly string[]): string {
  const stdout = execFileSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return stdout.trim()
}

/** Runs a check with a folder of its own, which is deleted afterwards, and sets the exit code. */
export async function check(title: string, run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'check-'))
  try {
    await run(folder)
    console.log(`${title}: all of it holds.`)
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string }
    console.error(`${title}: ${message}${stderr ? `\n${stderr.slice(-5_000)}` : ''}`)
    process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints the statement; throws if it is not true. */
export function must(statement: string, isTrue: boolean): void {
  if (!isTrue) throw new Error(`This does not hold: ${statement}`)
  console.log(`holds: ${statement}`)
}

/**
 * Installs missing programs. `programs` maps each program's name, or the path or pattern of a file, to its Debian
 * package. Throws if one cannot be installed.
 */
export function need(programs: Readonly<Record<string, string>>): void {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new Error('This needs root on a Debian machine, for mounts and users of its own.')
  const missing = Object.keys(programs).filter((program) => !isThere(program))
  if (missing.length === 0) return
  const packages = [...new Set(missing.map((program) => programs[program] ?? program))]
  const installCommand = `apt-get install ${packages.join(' ')}`
  console.log(`${missing.join(', ')} is missing: ${installCommand}`)
  try {
    output('apt-get', ['-qq', 'update'])
    const quiet = ['-qq', '--yes', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=300']
    output('apt-get', ['install', ...quiet, ...packages])
  } catch (error) {
    throw new Error(`${missing.join(', ')} is missing. Install it: ${installCommand}`, {
      cause: error,
    })
  }
}

function isThere(program: string): boolean {
  if (program.startsWith('/')) return globSync(program).length > 0
  const folders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']
  return folders.some((folder) => existsSync(join(folder, program)))
}

/** Creates a minimal Debian in a folder, from this machine's mirror. */
export function debian(folder: string, packages: readonly string[]): void {
  const sites = output('apt-get', ['indextargets', '--format', '$(SITE)']).split('\n')
  const mirror = sites.find((site) => /\/debian\/?$/.test(site))
  if (!mirror) throw new Error('The packages of this machine come from no mirror of Debian.')
  const included = packages.length > 0 ? [`--include=${packages.join(',')}`] : []
  output('debootstrap', ['--variant=minbase', ...included, 'trixie', folder, mirror])
}
