import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Choices } from './choices.ts'
import { applyChanges } from './changes.ts'
import { isKept } from './left-out.ts'
import { manifestFor, type Project } from './manifest.ts'
import { run } from './run.ts'
import { removeUnused } from './unused-places.ts'

const root = resolve(import.meta.dirname, '../..')
const namePlaces = 'cmd/build/name-places.ts'

/**
 * Creates a new app in an empty or missing folder, without packages and history. `before` is called when its files are
 * written, but before its pictures are drawn.
 */
export function create(folder: string, choices: Choices, before = () => {}): void {
  writeSources(folder, choices)
  before()
  const project = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Project
  write(folder, 'package.json', `${JSON.stringify(manifestFor(project, choices), null, 2)}\n`)
  writeLockfile(folder)
  write(folder, namePlaces, removeUnused(readFileSync(join(folder, namePlaces), 'utf8'), folder))
  withPackages(folder, () => {
    run(folder, process.execPath, ['cmd/build/write-name.ts'])
    run(folder, process.execPath, [join(root, 'node_modules/oxfmt/bin/oxfmt'), '.'])
    run(folder, process.execPath, ['cmd/brand/main.ts'])
  })
}

/** Writes all files of an app with these choices except its package.json. */
export function writeSources(folder: string, choices: Choices): void {
  for (const [file, content] of sourcesFor(choices)) {
    const to = join(folder, file)
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, content)
    chmodSync(to, statSync(join(root, file)).mode)
  }
}

/** Returns all files of this project that belong to an app with these choices, by their paths here. */
export function sourcesFor(choices: Choices): Map<string, string | Buffer> {
  const files = sources().filter((file) => isKept(file, choices))
  return new Map(
    files.map((file) => {
      const content = readFileSync(join(root, file))
      return [file, isText(file) ? applyChanges(file, String(content), choices) : content]
    }),
  )
}

/** Returns the files tracked by git, so that nothing is copied that was built, downloaded or is secret. */
function sources(): string[] {
  return run(root, 'git', ['ls-files', '-z'])
    .split('\0')
    .filter((file) => file !== '')
}

function isText(file: string): boolean {
  return !/\.(?:png|jpg|webp)$/.test(file)
}

function write(folder: string, file: string, text: string): void {
  writeFileSync(join(folder, file), text)
}

/** npm removes from the lockfile what package.json no longer needs, without asking a registry. */
function writeLockfile(folder: string): void {
  run(folder, 'npm', ['install', '--package-lock-only', '--offline', '--ignore-scripts'])
}

/** Runs `work` while the folder has this project's packages. */
function withPackages(folder: string, work: () => void): void {
  const packages = join(folder, 'node_modules')
  symlinkSync(join(root, 'node_modules'), packages, 'junction')
  try {
    work()
  } finally {
    rmSync(packages)
  }
}
