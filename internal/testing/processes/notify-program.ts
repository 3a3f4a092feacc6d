import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { emptyFolder } from './executable.ts'

interface NotifyProgram {
  /** What makes a server notify it. */
  readonly environment: Readonly<Record<'NOTIFY_SOCKET' | 'PATH', string>>
  readonly messages: () => (string | undefined)[]
  readonly variables: () => Set<string | undefined>
}

/** A replacement for `systemd-notify` that records its messages and the names of its environment variables. */
export function notifyProgram(): NotifyProgram {
  const folder = emptyFolder()
  const recordFile = join(folder, 'kept')
  const program = [
    `#!${process.execPath}`,
    `const words = [process.argv[2], Object.keys(process.env)]`,
    `require('node:fs').appendFileSync(${JSON.stringify(recordFile)}, words.join(' ') + '\\n')`,
  ]
  writeFileSync(join(folder, 'systemd-notify'), program.join('\n'), { mode: 0o755 })
  const lines = () =>
    existsSync(recordFile) ? readFileSync(recordFile, 'utf8').trim().split('\n') : []
  return {
    environment: { NOTIFY_SOCKET: '/run/stand-in', PATH: folder },
    messages: () => lines().map((line) => line.split(' ')[0]),
    variables: () => new Set(lines().map((line) => line.split(' ')[1])),
  }
}
