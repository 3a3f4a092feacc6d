import { advices } from '#db/advice'
import { health } from '#db/health'
import manifest from '../../package.json' with { type: 'json' }
import { ConfigError } from '../../internal/base/settings/config-error.ts'
import { escapeControls } from '../../internal/base/text/escape.ts'
import { openFiles } from '../../internal/base/files/open-files.ts'
import { errorSentence } from '../../internal/base/error-message.ts'
import { adviceAmong } from '../../internal/db/advice.ts'
import { openAssets } from '../../internal/base/program/open-assets.ts'
import { fail, ok, type Finding } from '../../internal/base/finding.ts'
import { keyFindings } from './doctor/key.ts'
import { migrationFindings } from './doctor/migrations.ts'
import { roomFindings } from './doctor/disk-room.ts'
import { photoFindings } from './doctor/photos.ts'
import { doubtFindings, exposureFindings, faultFindings } from './doctor/settings.ts'
import { clockFindings, jobFindings, mailFindings } from './doctor/work.ts'
import { migrations } from './commands/database/migrate.ts'
import { readSettings } from './settings/read-settings.ts'
import type { Config } from '../../internal/base/settings/config.ts'
import type { Inspection } from '../../internal/db/health.ts'

/** Checks everything a server needs, and prints what is wrong and what to do. Leaves nothing changed. */
export async function examine({ json }: { json: boolean }): Promise<number> {
  const { findings, exitCode } = await findAll()
  console.log(
    json ? escapeControls(JSON.stringify(findings)) : findings.map(formatFinding).join('\n'),
  )
  return exitCode
}

async function findAll(): Promise<{ findings: Finding[]; exitCode: number }> {
  const version = ok(
    'version',
    `${manifest.name} ${manifest.version}, build ${openAssets().version}.`,
  )
  try {
    const { config, warnings, exposed } = await readSettings()
    const settings = [...exposureFindings(exposed), ...doubtFindings(config, warnings)]
    const findings = [version, ...settings, ...(await serviceFindings(config))]
    return { findings, exitCode: findings.some(({ state }) => state === 'fail') ? 1 : 0 }
  } catch (error) {
    // Nothing else can be checked without valid settings.
    if (error instanceof ConfigError)
      return { findings: [version, ...faultFindings(error)], exitCode: 3 }
    throw error
  }
}

async function serviceFindings(config: Config): Promise<Finding[]> {
  const outcome = await health.inspect(config.database)
  const inspection = outcome.result === 'open' ? outcome.inspection : undefined
  try {
    return [
      ...(outcome.result === 'open' ? [] : [outcome.finding]),
      ...(await databaseFindings(config, inspection)),
      ...(await surroundingsFindings(config, inspection)),
    ]
  } finally {
    await inspection?.close()
  }
}

async function databaseFindings(
  config: Config,
  inspection: Inspection | undefined,
): Promise<Finding[]> {
  if (!inspection) return runCheck('key', () => keyFindings(config, undefined))
  const { db } = inspection
  const integrity = await runCheck('integrity', () => inspection.integrity())
  return [
    ...(await runCheck('key', () => keyFindings(config, db))),
    ...(await runCheck('database', () => inspection.findings())),
    ...integrity,
    ...(await runCheck('migrations', async () =>
      migrationFindings(migrations(), await health.ranMigrations(db)),
    )),
    ...(await runCheck('jobs', () => jobFindings(new Date(), db))),
  ]
}

async function surroundingsFindings(
  config: Config,
  inspection: Inspection | undefined,
): Promise<Finding[]> {
  const now = new Date()
  const db = inspection?.db
  // One after the other: a statement's time to wait begins when it is sent, even if another is still running.
  const photosAndClock = async () => [
    ...(await runCheck('photos', async () => {
      const files = await openFiles(config.files, () => new Date())
      return photoFindings(config, files, db)
    })),
    ...(await runCheck('clock', () => clockFindings({ now, migrations: migrations() }, db))),
  ]
  const parts = await Promise.all([
    runCheck('disk', () => roomFindings(config)),
    photosAndClock(),
    runCheck('mail', () => mailFindings(config)),
  ])
  return parts.flat()
}

/** Returns a check's findings. If the check itself fails, that is its finding, and the other checks still run. */
async function runCheck(
  check: string,
  find: () => Finding[] | Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await find()
  } catch (error) {
    return [
      fail(
        check,
        `It could not be looked at: ${errorSentence(error)}`,
        adviceAmong(advices, error) ?? 'Mend what else is told here first.',
      ),
    ]
  }
}

/** Formats a finding as a single line: `warn  disk: …`. */
function formatFinding({ state, check, finding, advice }: Finding): string {
  const text = `${check}: ${finding}${advice === undefined ? '' : ` ${advice}`}`
  return `${state.padEnd(4)}  ${escapeControls(text.replace(/\s+/g, ' '))}`
}
