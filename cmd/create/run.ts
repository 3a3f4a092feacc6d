import { spawnSync } from 'node:child_process'
import { environment } from '../../internal/base/settings/config.ts'

/** Runs a program to its end, and returns its trimmed standard output. Throws with all its output if it fails. */
export function run(
  cwd: string,
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...environment(), ...settings },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // npm is a .cmd on Windows, which only a shell can start.
    shell: program === 'npm' && process.platform === 'win32',
  })
  if (status === 0) return stdout.trim()
  const output = error ? error.message : `${stdout}${stderr}`
  throw new Error(`${program} ${args.slice(0, 3).join(' ')} failed in ${cwd}:\n${output}`)
}
