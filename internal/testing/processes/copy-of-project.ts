import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { emptyFolder } from './executable.ts'

const root = resolve(import.meta.dirname, '../../..')

// Not copied: built, downloaded and generated files.
const excluded = new Set(['.git', 'dist', 'node_modules', 'files', '.env', '.mail', '.postgres'])

/** Copies the project with its packages, until the end of the test. */
export function copyOfProject(): string {
  const folder = emptyFolder()
  for (const name of readdirSync(root))
    if (!excluded.has(name) && !/\.db\b/.test(name))
      cpSync(join(root, name), join(folder, name), { recursive: true, filter: isNoPackage })
  mkdirSync(join(folder, 'node_modules'))
  linkPackages(folder)
  return folder
}

/** Skips folders that have packages of their own. */
function isNoPackage(path: string): boolean {
  return basename(path) !== 'node_modules'
}

/** Links packages into a node_modules, and finally npm's list of them. */
export function linkPackages(folder: string): void {
  for (const name of readdirSync(join(root, 'node_modules')))
    if (!name.startsWith('.'))
      symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), '{}')
}
