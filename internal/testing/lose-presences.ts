import { readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileOf } from '#db/address'
import type { DatabaseAddress } from '../base/settings/config.ts'

/** Has every process that works on a database be taken for gone, though it lives. */
export function losePresences(database: DatabaseAddress): void {
  const path = fileOf(database)
  const own = `${basename(path)}-worker-`
  for (const name of readdirSync(dirname(path)).filter((name) => name.startsWith(own)))
    rmSync(join(dirname(path), name))
}
