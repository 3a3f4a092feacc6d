import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFailed, onTestFinished } from 'vitest'
import { migratedIn } from '#testing/migrated'
import { work } from '../domain/work.ts'
import { listen } from '../http/node/server.ts'
import { openApp, type OpenApp } from '../open-app.ts'
import { startWorkers } from '../services/jobs/workers.ts'
import { testAssets } from './assets.ts'
import { Browser } from './browser.ts'
import { cheapestHash } from './cheapest-hash.ts'
import { memory } from './processes/folders.ts'
import { Outbox } from './outbox.ts'
import type { Frontend } from '../../web/contract/frontend.ts'
import type { Assets } from '../base/program/assets.ts'
import type { Config } from '../base/settings/config.ts'
import type { Log } from '../base/log.ts'
import type { ApiRoute, Route } from '../http/router.ts'

/** A test's own app: real server, real database file, and a clock that stands still until the test moves it. */
export interface TestApp extends OpenApp {
  /** Returns a new browser. */
  browser(): Browser
  /** Advances the clock, once background writes of requests are done, such as the time of a visit. */
  pass(time: { days?: number; hours?: number; minutes?: number; seconds?: number }): Promise<void>
  /** What was logged so far. */
  readonly logLines: readonly LogLine[]
  readonly port: number
  /** The app's outgoing mails. */
  readonly outbox: Outbox
  /** Whether jobs run beside the server. */
  readonly hasWorkers: boolean
  /** Resolves once all pending writes, background ones included, are durable. */
  awaitWrites(): Promise<void>
}

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly facts: Readonly<Record<string, unknown>>
}

interface Options {
  readonly config?: Partial<Config>
  readonly routes?: readonly (Route | ApiRoute)[]
  /**
   * Runs jobs beside the server, polling every 10 ms. The schedule pushes none, however far the clock is moved: a test
   * of a scheduled job pushes it itself (`internal/services/jobs/push.ts`).
   */
  readonly workers?: boolean
  /** Creates the app that the server gets instead of the test's. */
  readonly serverApp?: (app: OpenApp) => OpenApp
  /** `as served`: hashing a password costs as much as in production; otherwise almost nothing. */
  readonly hashing?: 'as served'
  /** Pages and frontend to serve instead of the tests' own. */
  readonly pages?: { readonly assets: Assets; readonly frontend?: Frontend }
  /** The folder for its database and photos. */
  readonly parent?: string
}

/** Opens an app, which is closed, and its database deleted, at the end of the test. */
export async function testApp({
  config = {},
  routes,
  workers = false,
  serverApp = (app) => app,
  hashing,
  pages = { assets: testAssets },
  parent = memory,
}: Options = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(parent, 'app-test-'))
  let time = Date.parse('2026-01-05T10:00:00Z')
  const logLines: LogLine[] = []
  const database = config.database ?? (await migratedIn(folder, new Date(time)))
  const fullConfig = { ...defaultConfig(folder), ...config, database }
  const outbox = new Outbox()
  const opened = await openApp(fullConfig, {
    mailer: outbox,
    log: recordingLog(logLines),
    ...pages,
    now: () => new Date(time),
    hashing: hashing === 'as served' ? undefined : cheapestHash,
  })
  const { app, background } = trackBackground(opened)
  const server = await listen(serverApp(app), routes)
  // A test sees only that a request was answered with a 500.
  onTestFailed(() => printErrors(logLines))
  const running = workers ? startWorkers(app, { work, atOnce: 4, poll: 10 }) : undefined
  onTestFinished(async () => {
    await Promise.all([running?.stop(1000), server.stop()])
    await app.close()
    await rm(folder, { recursive: true })
  })
  return {
    ...app,
    hasWorkers: workers,
    awaitWrites: async () => {
      await Promise.all(background)
      await app.db.transaction(async () => {})
    },
    logLines,
    port: server.port,
    outbox,
    browser: () =>
      new Browser({
        origin: fullConfig.origin,
        port: server.port,
        version: pages.assets.scripts('en').version,
      }),
    async pass({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      await Promise.all(background)
      time += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
    },
  }
}

/** Returns the app, and its unfinished background work. */
function trackBackground(opened: OpenApp): {
  app: OpenApp
  background: ReadonlySet<Promise<unknown>>
} {
  const background = new Set<Promise<unknown>>()
  const app: OpenApp = {
    ...opened,
    background(what, work, facts) {
      opened.background(what, work, facts)
      const done = Promise.allSettled([work])
      background.add(done)
      void done.finally(() => background.delete(done))
    },
  }
  return { app, background }
}

function defaultConfig(folder: string): Omit<Config, 'database'> {
  return {
    keys: [randomBytes(32)],
    origin: 'http://app.test',
    https: false,
    debug: false,
    host: '127.0.0.1',
    port: 0,
    trustedProxies: [],
    queueWorkers: 0,
    files: { disk: 'local', path: join(folder, 'files') },
    sessionStore: 'cookie',
    corsOrigins: [],
    sender: undefined,
    mail: undefined,
    links: {},
    log: { level: 'info', format: 'json' },
  }
}

/** Prints what an app logged as errors, for whoever looks for the cause of a failed test. */
function printErrors(logLines: readonly LogLine[]): void {
  for (const { level, message, facts } of logLines)
    if (level === 'error') console.error(message, facts)
}

function recordingLog(logLines: LogLine[]): Log {
  const record =
    (level: string) =>
    (message: string, facts: Readonly<Record<string, unknown>> = {}) => {
      logLines.push({ level, message, facts })
    }
  return {
    debug: record('debug'),
    info: record('info'),
    warn: record('warn'),
    error: record('error'),
  }
}
