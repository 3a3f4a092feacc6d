import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine, Refusal } from './command-line.ts'
import { frontendNames } from './frontend-build.ts'
import { isTarget, targetNames, thisTarget, type Target } from './executable/targets.ts'

/** The parts of package.json that the build reads. */
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
  /** Which `#db/*`, `#frontend` and `migrations/` folder to include. */
  readonly database: string
  readonly frontend: string
  readonly target: Target
  /** Whether to build nothing, and only weigh the login page of an existing executable. */
  readonly weigh: boolean
  /** Whether to print no sizes: compressing all parts for that takes longer than building. */
  readonly quiet: boolean
}

/** The available databases: those with migrations. */
export const databaseNames: readonly string[] = readdirSync(
  join(import.meta.dirname, '../../migrations'),
  { withFileTypes: true },
)
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted()

/** Returns the choices of package.json, overridden by the flags. Throws a Refusal that says what can be chosen. */
export function readOptions(args: readonly string[], manifest: Manifest): BuildOptions {
  if (!/^[A-Za-z0-9]+$/.test(manifest.name))
    throw new Refusal(
      `The name in package.json may have letters and digits only, not: ${manifest.name}`,
      1,
    )
  const flags = readFlags(args)
  const target = readTarget(flags.target ?? thisTarget())
  const { weigh = false, quiet = false } = flags
  if (weigh && (quiet || target !== thisTarget()))
    throw new Refusal(
      '--weigh runs what was built for this platform: leave out --quiet and --target.',
      2,
    )
  return {
    name: manifest.name,
    database: checkChoice('--database', flags.database ?? manifest.config.database, databaseNames),
    frontend: checkChoice('--frontend', flags.frontend ?? manifest.config.frontend, frontendNames),
    target,
    weigh,
    quiet,
  }
}

function readFlags(args: readonly string[]) {
  const string = { type: 'string' } as const
  const boolean = { type: 'boolean' } as const
  return readCommandLine(usage(), {
    args: [...args],
    options: { database: string, frontend: string, target: string, weigh: boolean, quiet: boolean },
  }).values
}

function usage(): string {
  const [database, frontend, target] = [databaseNames, frontendNames, targetNames].map((names) =>
    names.join('|'),
  )
  return `Usage: npm run build -- [--database ${database}] [--frontend ${frontend}] [--target ${target}] [--quiet] [--weigh]`
}

function checkChoice(flag: string, value: string, choices: readonly string[]): string {
  if (choices.includes(value)) return value
  throw new Refusal(`${flag} takes ${choices.join(', ')}, not: ${value}`, 2)
}

function readTarget(value: string): Target {
  if (isTarget(value)) return value
  throw new Refusal(`--target takes ${targetNames.join(', ')}, not: ${value}`, 2)
}
