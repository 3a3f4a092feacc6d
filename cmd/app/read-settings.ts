import { isSea } from 'node:sea'
import { dirname } from 'node:path'
import { environment } from '../../internal/base/config.ts'
import { readConfig } from '../../internal/base/read-config.ts'

/** The settings of this process and its working folder. Throws a ConfigError that tells every fault. */
export function readSettings(): ReturnType<typeof readConfig> {
  const folder = process.cwd()
  return readConfig({
    environment: environment(),
    folder,
    // Under the development runner the executable is Node, and nobody looks for photos there.
    beside: isSea() ? dirname(process.execPath) : folder,
    terminal: process.stdout.isTTY,
  })
}
