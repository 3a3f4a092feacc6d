import { appName } from '../../../web/contract/name.ts'
import { counted } from '../../../internal/base/text/printed-sizes.ts'
import { fail, ok, warn, type Finding } from '../../../internal/base/finding.ts'
import {
  compareMigrations,
  type Migration,
  type RanMigration,
} from '../../../internal/db/migrate.ts'
import {
  unknownMigrationsWarning,
  suitableVersion,
} from '../commands/database/unknown-migrations.ts'

/** Compares the migrations that ran on the database with this program's. */
export function migrationFindings(
  migrations: readonly Migration[],
  ran: readonly RanMigration[],
): Finding[] {
  const { pending, changed, unknown } = compareMigrations(migrations, ran)
  const check = 'migrations'
  const findings: Finding[] = []
  if (changed.length > 0)
    findings.push(
      fail(
        check,
        `${changed.join(', ')} changed since it ran, so that no server starts.`,
        'Put it back as it was, and write a new migration for the change.',
      ),
    )
  if (pending.length > 0)
    findings.push(
      fail(
        check,
        `${counted(pending.length, 'migration')} did not run yet, from ${pending[0]} on.`,
        `Run \`${appName} migrate\`, or start the server, which does.`,
      ),
    )
  const warning = unknownMigrationsWarning(unknown)
  if (warning !== undefined) findings.push(warn(check, warning, `Run ${suitableVersion}.`))
  return findings.length > 0 ? findings : [ok(check, `All ${migrations.length} ran.`)]
}
