import { readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { shellWord } from '../text/shell-word.ts'
import type { Environment } from './config.ts'
import { readDotEnv } from './dot-env.ts'
import { settings } from './settings.ts'
import type { Setting } from './settings.ts'

/** A file with secrets that others may read. */
export interface Exposed {
  /** Whole sentences. */
  readonly message: string
  readonly advice: string
}

interface AllExposed {
  readonly dotEnv: Exposed | undefined
  /** Files that a `<NAME>_FILE` names. */
  readonly files: readonly Exposed[]
}

/** Finds secrets that other users may read or change, in `.env` and in files that `<NAME>_FILE` names. */
export function exposedSecrets(environment: Environment, folder: string): AllExposed {
  const dotEnv = join(folder, '.env')
  const values = valuesIn(dotEnv)
  const named = secrets.filter((name) => !environment[name] && !values[name])
  return {
    dotEnv: secrets.some((name) => values[name]) ? exposed(dotEnv, 'secrets') : undefined,
    files: named.flatMap((name) => {
      const path = environment[`${name}_FILE`] || values[`${name}_FILE`]
      return (path && exposed(resolve(folder, path), name)) || []
    }),
  }
}

const secrets = Object.entries<Setting>(settings)
  .filter(([, { secret }]) => secret)
  .map(([name]) => name)

function valuesIn(file: string): Environment {
  try {
    return readDotEnv(readFileSync(file, 'utf8')).values
  } catch {
    // There may be no `.env`, and an unreadable one was already reported as a fault.
    return {}
  }
}

/**
 * Reports a file that others may open. Another user's may be open to its group, which may be what lets this
 * user read it, as README.md has it; this user's own may not.
 */
function exposed(path: string, contents: string): Exposed | undefined {
  const user = process.getuid?.()
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats || user === undefined) return undefined
  const isOwn = user !== 0 && stats.uid === user
  const forbidden = isOwn ? 0o066 : 0o006
  if ((stats.mode & forbidden) === 0) return undefined
  const mode = (stats.mode & 0o777).toString(8)
  return {
    message: `${path} is open to other users of this machine (mode ${mode}), and holds ${contents}.`,
    advice: `chmod ${isOwn ? 'go' : 'o'}= ${shellWord(path)}`,
  }
}
