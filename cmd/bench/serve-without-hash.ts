import '../../internal/base/program/threads.ts'
import { addresses } from '#db/address'
import type { App } from '../../internal/app.ts'
import { makeLog } from '../../internal/base/log.ts'
import { logMailer } from '../../internal/base/mailer/log.ts'
import { environment } from '../../internal/base/settings/config.ts'
import { readConfig } from '../../internal/base/settings/read-config.ts'
import { schedule, work } from '../../internal/domain/work.ts'
import { listen } from '../../internal/http/node/server.ts'
import { openApp } from '../../internal/open-app.ts'
import { startWorkers } from '../../internal/services/jobs/workers.ts'
import { testAssets } from '../../internal/testing/assets.ts'
import { password as rightOne } from '../../internal/testing/database/fill-database.ts'
import { testedFrontend } from '../../internal/testing/tested-frontend.ts'
import manifest from '../../package.json' with { type: 'json' }
import { lineWriter } from '../app/serve/line-writer.ts'
import { endBundling } from '../build/bundle/bundle.ts'
import { bundledFrontend } from '../build/bundle/drawing-times.ts'

// Serves like the executable after migrating, but compares passwords as text, as the peers do.
const folder = process.cwd()
const { config } = readConfig({
  environment: environment(),
  folder,
  beside: folder,
  terminal: false,
  database: addresses,
})
const { write } = lineWriter(process.stdout, () => {})
const log = makeLog({ ...config.log, write, now: () => new Date() })
const openedApp = await openApp(config, {
  mailer: logMailer(log),
  log,
  assets: testAssets,
  frontend: await bundledFrontend(testedFrontend, manifest),
})
const app: App = {
  ...openedApp,
  passwords: {
    hashPassword: (password) => Promise.resolve(password),
    checkPassword: (hash, password) =>
      Promise.resolve({ right: hash !== '' && password === rightOne, stale: false }),
  },
}
await endBundling()
await listen(app)
startWorkers(app, { work, schedule, atOnce: config.queueWorkers })
