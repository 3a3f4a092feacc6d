import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'

/** The tools that faults need: their paths and Debian packages. */
// oxfmt-ignore
const tools = {
  strace:  { file: '/usr/bin/strace',  package: 'strace' },
  prlimit: { file: '/usr/bin/prlimit', package: 'util-linux' },
  mount:   { file: '/usr/bin/mount',   package: 'mount' },
  umount:  { file: '/usr/bin/umount',  package: 'mount' },
  libfaketime: { file: '/usr/lib/*/faketime/libfaketimeMT.so.1', package: 'libfaketime' },
} as const

export type Tool = keyof typeof tools

/** A tool is missing and could not be installed: faults that need it are not tried. */
export class ToolMissing extends Error {
  override readonly name = 'ToolMissing'
}

/** Returns a tool's path; root installs missing ones. Throws `ToolMissing`, which says what to do. */
export function need(tool: Tool): string {
  const { file, package: name } = tools[tool]
  const path = pathOf(file) ?? (install(name), pathOf(file))
  if (path !== undefined) return path
  throw new ToolMissing(
    `${tool} is not there: install the package ${name} (apt-get install ${name}).`,
  )
}

function pathOf(file: string): string | undefined {
  return globSync(file)[0]
}

/** Tries to install a package, which needs root, a network and apt-get. */
function install(name: string): void {
  if (process.getuid?.() !== 0) return
  console.error(`Installing ${name} …`)
  const steps = [['update'], ['install', '-y', '--no-install-recommends', name]]
  for (const step of steps) {
    try {
      execFileSync('env', ['DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...step], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
    }
  }
}
