import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { appName } from '../../../web/contract/name.ts'
import { testedClient, testedDatabase } from '../tested-database.ts'
import { testedRenderer, testedFrontend } from '../tested-frontend.ts'

const root = join(import.meta.dirname, '../../..')

/** The executable that the build makes. */
export const executable = join(root, 'dist', appName)

/** Builds the executable before the tests that start it, unless it is newer than its sources. */
export function setup(): void {
  if (changedAt() < builtAt() && isAsTested()) return
  try {
    const options = ['--database', testedDatabase, '--frontend', testedFrontend]
    const args = ['build.ts', '--quiet', ...options]
    execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    throw new Error('The executable could not be built, so nothing of it can be tested.', {
      cause: error,
    })
  }
}

function builtAt(): number {
  return statSync(executable, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Whether the executable is for the tested database and frontend, according to its bill of materials. */
function isAsTested(): boolean {
  const list = `${executable}.cdx.json`
  if (!existsSync(list)) return false
  const components = readFileSync(list, 'utf8')
  return [testedClient, testedRenderer].every((name) => components.includes(`pkg:npm/${name}@`))
}

/** Returns when a source last changed. Folders count too: a folder changes when a file in it is deleted. */
function changedAt(): number {
  const sources = globSync(['build.ts', 'package*.json', '{cmd,internal,migrations,web}/**'], {
    cwd: root,
    exclude: ['**/*.test.ts', '**/node_modules', 'internal/testing/**'],
  })
  return Math.max(...sources.map((source) => statSync(join(root, source)).mtimeMs))
}
