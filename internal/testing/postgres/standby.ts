import { rowOf } from '../../db/server/answer.ts'
import { spawnSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'

/** A running server to replicate from. */
interface Primary {
  readonly url: string
  readonly port: number
  /** The folder of its data. */
  readonly folder: string
}

/**
 * Copies its data into another folder, on which a server can be started as its standby. That server fetches what the
 * copy lacks of the log (PostgreSQL: Making a Base Backup Using the Low Level API).
 */
export async function copyForStandby(folder: string, primary: Primary): Promise<void> {
  const [from, to] = [join(primary.folder, 'data'), join(folder, 'data')]
  const connection = await Connection.open(serverOf({ url: primary.url }))
  try {
    await connection.script("SELECT pg_backup_start('standby', true)")
    // A file may be deleted meanwhile: the log has that, so it is no error.
    const { stderr } = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' })
    const faults = stderr.split('\n').filter((line) => line && !/No such file/.test(line))
    if (faults.length > 0) throw new Error(faults.join('\n'))
    const backup = rowOf(
      await connection.ask<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()'),
    )
    spawnSync('rm', ['-rf', join(to, 'pg_wal'), join(to, 'postmaster.pid')])
    mkdirSync(join(to, 'pg_wal'), { mode: 0o700 })
    writeFileSync(join(to, 'backup_label'), backup.labelfile)
    writeFileSync(join(to, 'standby.signal'), '')
    appendFileSync(
      join(to, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=app'\n`,
    )
    const { uid, gid } = statSync(from)
    for (const name of ['pg_wal', 'backup_label', 'standby.signal'])
      chownSync(join(to, name), uid, gid)
  } finally {
    await connection.end()
  }
}
