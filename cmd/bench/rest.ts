import { existsSync, readFileSync, statSync } from 'node:fs'
import { get as ask } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { get, perSecond } from './load.ts'
import type { Programs, RunningProgram } from './programs.ts'
import { compare, type Row, threeDigits } from './table.ts'

/** Compares the time from the start to the first 200, on a migrated database, with the runtime alone. */
export async function starting(programs: Programs): Promise<readonly Row[]> {
  const database = programs.database()
  return compare(20, [
    {
      title: 'start to the first 200',
      referenceName: 'node -e 0',
      aim: { most: 2 },
      unit: 'ms',
      measureReference: () => programs.bareStart(),
      measure: async () => {
        const app = await programs.app(database)
        await app.stop()
        return app.startupTime
      },
    },
  ])
}

/** Compares memory a second after a few pages, and after thousands of them. */
export async function atRest(programs: Programs): Promise<readonly Row[]> {
  // Only Linux has it in a file.
  if (!existsSync('/proc/self/status')) return []
  const database = programs.database()
  const memoryComparison = (pages: number) => ({
    referenceName: 'bare node:http',
    unit: 'MB',
    measureReference: async () => residentMegabytes(await programs.bareServer(), pages),
    measure: async () => residentMegabytes(await programs.app(database), pages),
  })
  return compare(3, [
    { ...memoryComparison(few), title: restingRow, aim: { most: 1.5 } },
    { ...memoryComparison(many), title: manyPagesRow, aim: { most: 1.7 } },
  ])
}

export const few = 10
export const many = 10_000
export const restingRow = 'resident memory at rest'
export const manyPagesRow = 'resident memory after 10,000 pages'

// How many addresses of the page are requested: each is a document of its own, rendered, compressed, and cached when
// requested again.
const distinctPages = 500

function loginPage(n: number): string {
  return get(`/login?n=${n % distinctPages}`, { 'Accept-Encoding': 'br' })
}

/** Returns a program's resident memory a second after `pages` pages, requested as by browsers; ends the program. */
export async function residentMegabytes(running: RunningProgram, pages: number): Promise<number> {
  const { pid, port } = running
  const connections = pages > few ? 16 : 2
  await perSecond({ port, connections, requests: pages, request: loginPage })
  await pause(1000)
  const megabytes = residentBytes(pid) / 1e6
  await running.stop()
  return megabytes
}

/** Returns a program's resident memory. Only Linux has it in a file. */
export function residentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) * 1024
}

/** Compares the sizes of the login page with everything it loads, over the wire, and of the executable. */
export async function sizes(programs: Programs): Promise<readonly Row[]> {
  const app = await programs.app(programs.database())
  const page = await fetchBody(app, '/login', 'identity')
  const links = page.toString().matchAll(/<(?:link|script)\b[^>]*?\b(?:href|src)="(\/[^"]+)"/g)
  const paths = new Set(['/login', ...[...links].map(([, path = '']) => path)])
  const bodies = await Promise.all([...paths].map((path) => fetchBody(app, path, 'br')))
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0)
  const executable = statSync(programs.executable).size
  return [
    {
      title: 'login page over the wire, all in, brotli',
      aim: `≤ 14 kB ${bytes <= 14_000 ? ' ' : '✗'}`,
      figures: `${threeDigits(bytes)} bytes in ${bodies.length} files`,
    },
    { title: 'executable', aim: '', figures: `${(executable / 1024 / 1024).toFixed(1)} MiB` },
  ]
}

/** Returns an answer's body, still compressed. */
function fetchBody({ port }: RunningProgram, path: string, encoding: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    ask({ port, path, headers: { 'Accept-Encoding': encoding } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => resolve(Buffer.concat(parts)))
    }).on('error', reject)
  })
}
