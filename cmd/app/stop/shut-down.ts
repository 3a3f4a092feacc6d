import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../../internal/base/log.ts'
import type { Listening } from '../../../internal/http/node/server.ts'
import type { OpenApp } from '../../../internal/open-app.ts'
import type { startWorkers } from '../../../internal/services/jobs/workers.ts'
import { endNow } from './end-now.ts'
import type { LineWriter } from '../serve/line-writer.ts'

// Milliseconds after the signal when running requests and jobs are cut off.
const longestWork = 8_500
// Ten seconds until the exit (contract: Command line), less what a busy machine needs to get there.
const longestStop = 9_500
// Milliseconds that a keep-alive connection stays open: a proxy's next request may already be on its way over it.
const patience = 200
// Milliseconds to wait until the last log lines are accepted.
const longestFlush = 500

export interface RunningServer {
  readonly app: OpenApp
  readonly server: Listening
  readonly workers: ReturnType<typeof startWorkers> | undefined
  readonly lines: LineWriter
}

/** Lets running work finish, as far as time allows, closes the database, and ends the program. */
export async function shutDown({ app, server, workers, lines }: RunningServer): Promise<never> {
  const deadline = pause(longestWork).then(server.cut)
  await Promise.all([
    waitForEnd(app.log, workers?.stop(longestWork)),
    waitForEnd(app.log, server.stop(patience)),
  ])
  await waitForEnd(app.log, app.close(deadline))
  return logAndEnd(app.log, lines)
}

interface UnopenedServer {
  readonly signal: NodeJS.Signals
  readonly log: Log
  readonly lines: LineWriter
}

/** Ends the program while it is waiting for the database: no work has begun that could be lost. */
export async function stopUnopened({ signal, log, lines }: UnopenedServer): Promise<never> {
  log.info('stopping', { signal })
  return logAndEnd(log, lines)
}

async function logAndEnd(log: Log, lines: LineWriter): Promise<never> {
  log.info('stopped')
  await lines.end(longestFlush)
  return endNow(0)
}

/** Waits for a part to stop. A failure is logged, and does not keep the other parts from stopping. */
async function waitForEnd(log: Log, part: Promise<unknown> | undefined): Promise<void> {
  try {
    await part
  } catch (error) {
    log.error('a part of the stop failed', { error })
  }
}

/** Ends the program if stopping takes too long, whatever hangs, even during the start. */
export async function endInTime(
  stopSignal: Promise<unknown>,
  { log, lines }: { log: Log; lines: LineWriter },
): Promise<void> {
  await stopSignal
  await pause(longestStop, undefined, { ref: false })
  log.warn('ended before all had stopped')
  lines.flush()
  endNow(0)
}
