import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { appName } from '../../web/contract/name.ts'
import type { BrowserType } from './browsers/browser.ts'
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

const browserTypes: readonly BrowserType[] = [chromium, firefox, webkit]
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

const searchWords = process.argv.slice(2)

type Row = Record<string, string>

let personCount = 0

/**
 * `npm run check:browsers [-- firefox photo]`: runs the main flows in each browser, or only those flows and browsers
 * whose names contain one of the words. Keeps screenshots of the pages.
 */
await check('In every browser', async (folder) => {
  if (!existsSync(executable)) throw new Error('There is no executable: run `npm run build` first.')
  refuseUnknown()
  const selectedTypes = selected(browserTypes)
  need(Object.assign({}, ...selectedTypes.map(({ programs }) => programs)))
  for (const browserType of selectedTypes)
    rmSync(folderOf(browserType), { recursive: true, force: true })
  const server = await Server.start(executable, folder)
  const table: Record<string, Row> = {}
  const faults: string[] = []
  try {
    for (const browserType of selectedTypes)
      for (const flow of selected(flows)) {
        if (flow.passkeys !== undefined && flow.passkeys !== browserType.hasPasskeys) continue
        const browserFolder = mkdtempSync(join(folder, 'browser-'))
        const {
          column,
          result,
          faults: flowFaults,
        } = await tryFlow({ browserType, flow, server, folder: browserFolder })
        ;(table[flow.name] ??= {})[column] = result
        console.log(`${column}, ${flow.name}: ${[result, ...flowFaults].join('\n  ')}`)
        faults.push(...flowFaults.map((fault) => `${column}, ${flow.name}: ${fault}`))
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

/** Returns the items whose names contain a word of the command line; all if none does. */
function selected<Item extends Named>(items: readonly Item[]): readonly Item[] {
  const named = items.filter((item) => searchWords.some((word) => hasWord(item, word)))
  return named.length > 0 ? named : items
}

function refuseUnknown(): void {
  const named: readonly Named[] = [...browserTypes, ...flows]
  const unknown = searchWords.filter((word) => !named.some((item) => hasWord(item, word)))
  if (unknown.length > 0)
    throw new Error(
      `Nothing has ${unknown.map((word) => `"${word}"`).join(', ')} in its name, of: ${named.map(({ name }) => name).join(', ')}.`,
    )
}

function folderOf({ name }: BrowserType): string {
  return join(pictures, name.toLowerCase())
}

interface Trial {
  readonly browserType: BrowserType
  readonly flow: Flow
  readonly server: Server
  readonly folder: string
}

interface Outcome {
  /** The browser's name and version. */
  readonly column: string
  readonly result: string
  readonly faults: readonly string[]
}

async function tryFlow({ browserType, flow, server, folder }: Trial): Promise<Outcome> {
  const pictureFolder = folderOf(browserType)
  mkdirSync(pictureFolder, { recursive: true })
  const began = performance.now()
  const reportsBefore = server.reports().length
  const browser = await browserType.start({ folder, javaScript: !flow.withoutScript })
  const faults: string[] = []
  try {
    const visit = await Visit.begin({
      browser,
      server,
      email: `ann${++personCount}@example.com`,
      pictures: join(pictureFolder, flow.name.replace(/\W+/g, '-')),
      hasScript: !flow.withoutScript,
    })
    await flow.run(visit).catch(async (error: unknown) => {
      const { message, cause } = error as Error
      faults.push(cause instanceof Error ? `${message} (${cause.message})` : message)
      await visit.keep('failed').catch(() => {})
    })
    faults.push(...browser.complaints(), ...server.reports().slice(reportsBefore))
  } finally {
    await browser.close()
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  const result = faults.length === 0 ? `${seconds} s` : 'failed'
  return { column: `${browserType.name} ${browser.version}`, result, faults }
}
