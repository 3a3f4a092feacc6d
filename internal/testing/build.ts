import { execFileSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { appName } from '../../web/contract/name.ts'

const root = join(import.meta.dirname, '../..')

/** What the build makes. */
export const executable = join(root, 'dist', appName)

/** Builds the executable before the tests that start it, unless it is newer than all that it is made of. */
export function setup(): void {
  if (changedAt() < builtAt()) return
  try {
    const words = ['build.ts', '--quiet']
    execFileSync(process.execPath, words, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    throw new Error('The executable could not be built, so nothing of it can be tested.', {
      cause: error,
    })
  }
}

function builtAt(): number {
  return statSync(executable, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Folders count too: one changes as a file in it is deleted. */
function changedAt(): number {
  const sources = globSync(['build.ts', 'package*.json', '{cmd,internal,migrations,web}/**'], {
    cwd: root,
    exclude: ['**/*.test.ts', 'internal/testing/**'],
  })
  return Math.max(...sources.map((source) => statSync(join(root, source)).mtimeMs))
}
