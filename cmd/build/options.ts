import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isTarget, targetNames, thisTarget, type Target } from './targets.ts'

/** What package.json says of the project, as the build reads it. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly config: { readonly database: string; readonly frontend: string }
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

export interface BuildOptions {
  /** The app's name: letters and digits (contract: App name). */
  readonly name: string
  /** Which `#db/*`, `#frontend` and `migrations/` folder go in. */
  readonly database: string
  readonly frontend: string
  readonly target: Target
  /** Whether to weigh the login page of the executable that is there, and build nothing. */
  readonly weigh: boolean
  /** Whether to print no sizes: compressing all that is inside takes longer than making it. */
  readonly quiet: boolean
}

/** The build cannot do what was asked. `exitCode` as the contract's: 1 failed, 2 wrong usage. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }
}

const databases = ['sqlite', 'postgres', 'mysql']
const frontends = ['preact', 'vue', 'svelte']
const project = join(import.meta.dirname, '../..')

/** The choices of package.json, overridden by the flags. Throws a Refusal that says what can be chosen. */
export function readOptions(
  args: readonly string[],
  manifest: Manifest,
  root = project,
): BuildOptions {
  if (!/^[A-Za-z0-9]+$/.test(manifest.name))
    throw new Refusal(
      `The name in package.json may have letters and digits only, not: ${manifest.name}`,
      1,
    )
  const flags = readFlags(args)
  return {
    name: manifest.name,
    database: choice('--database', flags.database ?? manifest.config.database, {
      known: databases,
      folder: join(root, 'internal/db'),
    }),
    frontend: choice('--frontend', flags.frontend ?? manifest.config.frontend, {
      known: frontends,
      folder: join(root, 'web'),
    }),
    target: readTarget(flags.target ?? thisTarget()),
    weigh: flags.weigh ?? false,
    quiet: flags.quiet ?? false,
  }
}

function readFlags(args: readonly string[]) {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  try {
    return parseArgs({
      args: [...args],
      options: { database: text, frontend: text, target: text, weigh: yes, quiet: yes },
    }).values
  } catch (error) {
    throw new Refusal(error instanceof Error ? error.message : String(error), 2)
  }
}

interface Choices {
  readonly known: readonly string[]
  /** It has a folder for each choice that there is code for. */
  readonly folder: string
}

function choice(flag: string, value: string, { known, folder }: Choices): string {
  if (!known.includes(value))
    throw new Refusal(`${flag} takes ${known.join(', ')}, not: ${value}`, 2)
  if (!existsSync(join(folder, value)))
    throw new Refusal(`${flag} ${value} is not part of this project: there is no code for it.`, 2)
  return value
}

function readTarget(value: string): Target {
  if (isTarget(value)) return value
  throw new Refusal(`--target takes ${targetNames.join(', ')}, not: ${value}`, 2)
}
