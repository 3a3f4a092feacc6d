import { dirname } from 'node:path'
import { migrate } from '#db/migrations'
import { offerAddonFolder } from '../../internal/base/addons.ts'
import { makeLog } from '../../internal/base/log.ts'
import { openAssets } from '../../internal/base/open-assets.ts'
import { listen } from '../../internal/http/server.ts'
import { openApp } from '../../internal/open-app.ts'
import { lineWriter } from './line-writer.ts'
import { migrations } from './migrate.ts'
import { readSettings } from './read-settings.ts'
import { stopAsked } from './stop-asked.ts'
import type { Config } from '../../internal/base/config.ts'

// Ten seconds from the signal to the exit (contract: Command line), of which closing the database takes the rest.
const longestStop = 9_000

/** Migrates, serves until it is told to stop, and lets what runs finish. */
export async function serve(): Promise<number> {
  const { config, warnings } = readSettings()
  const lines = lineWriter(process.stdout)
  const log = makeLog({ ...config.log, write: lines.write, now: () => new Date() })
  for (const warning of warnings) log.warn(warning)
  offerAddonFolder(dirname(config.databasePath))
  await migrate(config.databasePath, migrations(), new Date())
  const assets = openAssets()
  const app = await openApp(config, { log, assets })
  const server = await listen(app)
  log.info('serving', {
    version: assets.version,
    address: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${server.port}`,
    url: config.origin,
    database: config.databasePath,
    mail: mailMode(config),
  })
  const signal = await stopAsked()
  log.info('stopping', { signal })
  const cut = setTimeout(server.cut, longestStop)
  await server.stop()
  clearTimeout(cut)
  await app.close()
  log.info('stopped')
  lines.flush()
  return 0
}

function mailMode({ mail }: Config): string {
  return mail ? `smtp ${mail.host}:${mail.port}` : 'log'
}
