import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type DebianProgram, debianProgram } from '../processes/debian-program.ts'

/** Returns this machine's MySQL server, or else Debian's newest. Throws with advice if there is none. */
export async function mysqlProgram(): Promise<DebianProgram> {
  const installed = ['/usr/sbin/mysqld', '/usr/libexec/mysqld'].find(isMysql)
  if (installed) return { command: [installed], base: '/usr' }
  try {
    return await debianProgram('mysql-server-core', 'sbin/mysqld')
  } catch (cause) {
    throw new Error(
      'There is no MySQL on this machine, and Debian’s could not be fetched: install mysql-server-core, or set DB_URL to a MySQL 8.4 or newer.',
      { cause },
    )
  }
}

/** Excludes MariaDB, whose program has this name too. */
function isMysql(program: string): boolean {
  if (!existsSync(program)) return false
  const output = execFileSync(program, ['--no-defaults', '--version'], { encoding: 'utf8' })
  return !output.includes('MariaDB')
}
