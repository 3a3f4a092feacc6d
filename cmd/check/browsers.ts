import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { appName } from '../../web/contract/name.ts'
import type { Kind } from './browsers/browser.ts'
import { chromium } from './browsers/chromium.ts'
import { firefox } from './browsers/firefox.ts'
import { loggingIn, loggingOut, registering } from './browsers/flows/accounts.ts'
import { lackingPasskeys, registeringPasskey, usingPasskeys } from './browsers/flows/passkeys.ts'
import {
  answeringDialogs,
  changingSettings,
  choosingLooks,
  choosingPhoto,
} from './browsers/flows/settings.ts'
import { provingTwice } from './browsers/flows/two-factor.ts'
import { goingBack, goingBackInside, ringing } from './browsers/flows/windows.ts'
import { changingWithoutScript, registeringWithoutScript } from './browsers/flows/without-script.ts'
import { Server } from './server.ts'
import { type Flow, Visit } from './browsers/visit.ts'
import { webkit } from './browsers/webkit.ts'
import { check, need } from './machine.ts'

const dist = resolve(import.meta.dirname, '../../dist')
const executable = join(dist, appName)
const pictures = join(dist, 'browsers')

const kinds: readonly Kind[] = [chromium, firefox, webkit]
const flows: readonly Flow[] = [
  registering,
  loggingIn,
  provingTwice,
  changingSettings,
  choosingLooks,
  choosingPhoto,
  ringing,
  loggingOut,
  goingBack,
  goingBackInside,
  answeringDialogs,
  registeringWithoutScript,
  changingWithoutScript,
  usingPasskeys,
  registeringPasskey,
  lackingPasskeys,
]

const words = process.argv.slice(2)

type Row = Record<string, string>

let people = 0

/**
 * `npm run check:browsers [-- firefox photo]`: goes through the main flows in each browser, or only through those flows
 * and in those browsers whose names contain one of the words. Pictures of the pages are kept.
 */
await check('In every browser', async (folder) => {
  if (!existsSync(executable)) throw new Error('There is no executable: run `npm run build` first.')
  refuseUnknown()
  const tried = asked(kinds)
  need(Object.assign({}, ...tried.map(({ programs }) => programs)))
  for (const kind of tried) rmSync(folderOf(kind), { recursive: true, force: true })
  const server = await Server.start(executable, folder)
  const table: Record<string, Row> = {}
  const faults: string[] = []
  try {
    for (const kind of tried)
      for (const flow of asked(flows)) {
        if (flow.passkeys !== undefined && flow.passkeys !== kind.hasPasskeys) continue
        const own = mkdtempSync(join(folder, 'browser-'))
        const { column, says, found } = await tryFlow({ kind, flow, server, folder: own })
        ;(table[flow.name] ??= {})[column] = says
        console.log(`${column}, ${flow.name}: ${[says, ...found].join('\n  ')}`)
        faults.push(...found.map((fault) => `${column}, ${flow.name}: ${fault}`))
      }
  } finally {
    await server.stop()
  }
  console.table(table)
  console.log(`Pictures are in ${pictures}.`)
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.join('\n')}`)
})

interface Named {
  readonly name: string
}

function hasWord({ name }: Named, word: string): boolean {
  return name.toLowerCase().includes(word.toLowerCase())
}

/** Those whose names contain a word of the command line; all if none does. */
function asked<All extends Named>(all: readonly All[]): readonly All[] {
  const named = all.filter((one) => words.some((word) => hasWord(one, word)))
  return named.length > 0 ? named : all
}

function refuseUnknown(): void {
  const all: readonly Named[] = [...kinds, ...flows]
  const unknown = words.filter((word) => !all.some((one) => hasWord(one, word)))
  if (unknown.length > 0)
    throw new Error(
      `Nothing has ${unknown.map((word) => `"${word}"`).join(', ')} in its name, of: ${all.map(({ name }) => name).join(', ')}.`,
    )
}

function folderOf({ name }: Kind): string {
  return join(pictures, name.toLowerCase())
}

interface Trial {
  readonly kind: Kind
  readonly flow: Flow
  readonly server: Server
  readonly folder: string
}

interface Outcome {
  /** The browser with its version. */
  readonly column: string
  readonly says: string
  readonly found: readonly string[]
}

async function tryFlow({ kind, flow, server, folder }: Trial): Promise<Outcome> {
  const place = folderOf(kind)
  mkdirSync(place, { recursive: true })
  const began = performance.now()
  const reported = server.reports().length
  const browser = await kind.start({ folder, javaScript: !flow.withoutScript })
  const found: string[] = []
  try {
    const visit = await Visit.begin({
      browser,
      server,
      email: `ann${++people}@example.com`,
      pictures: join(place, flow.name.replace(/\W+/g, '-')),
      hasScript: !flow.withoutScript,
    })
    await flow.run(visit).catch(async (error: unknown) => {
      const { message, cause } = error as Error
      found.push(cause instanceof Error ? `${message} (${cause.message})` : message)
      await visit.keep('failed').catch(() => {})
    })
    found.push(...browser.complaints(), ...server.reports().slice(reported))
  } finally {
    await browser.close()
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const says = found.length === 0 ? `${seconds} s` : 'failed'
  return { column: `${kind.name} ${browser.version}`, says, found }
}
