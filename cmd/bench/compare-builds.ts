import { addTokens } from './add-tokens.ts'
import { fill } from '../../internal/testing/database/fill-database.ts'
import { startFilled } from './pages.ts'
import type { Programs } from './programs.ts'
import { rateComparisons } from './rate-comparisons.ts'
import { few, many, manyPagesRow, residentMegabytes, restingRow } from './rest.ts'
import { compare, type Row } from './table.ts'

// Many short rounds, so that both sides of a ratio are measured under the same machine load.
const rounds = 15
const requests = 1600
const users = 1000

/** Compares this executable with another one, such as an earlier commit's, path by path. */
export async function compareWithBuild(
  programs: Programs,
  otherPrograms: Programs,
): Promise<readonly Row[]> {
  const [ours, theirs] = [await subjectOf(programs), await subjectOf(otherPrograms)]
  const comparisons = rateComparisons('the other', { build: ours, reference: theirs })
  // The first round lets V8 optimize; its figures are dropped.
  await compare(1, comparisons)
  const rows = await compare(rounds, comparisons)
  await Promise.all([programs.end(), otherPrograms.end()])
  return [...rows, ...(await startAndMemoryRows(programs, otherPrograms))]
}

async function subjectOf(programs: Programs) {
  const subject = await startFilled(programs, users)
  // As many tokens as requests: each token is used once per row and round, and may be used 60 times a minute.
  return { ...subject, tokens: await addTokens({ file: subject.database }, requests) }
}

async function startAndMemoryRows(
  programs: Programs,
  otherPrograms: Programs,
): Promise<readonly Row[]> {
  const [ours, theirs] = [programs.database(), otherPrograms.database()]
  await Promise.all([ours, theirs].map((file) => fill({ file }, users)))
  const columns = { referenceName: 'the other' }
  const startRows = await compare(20, [
    {
      ...columns,
      title: 'start to the first 200',
      unit: 'ms',
      measure: () => startupTime(programs, ours),
      measureReference: () => startupTime(otherPrograms, theirs),
    },
  ])
  const memoryComparison = (pages: number) => ({
    ...columns,
    unit: 'MB',
    measure: async () => residentMegabytes(await programs.app(ours), pages),
    measureReference: async () => residentMegabytes(await otherPrograms.app(theirs), pages),
  })
  const memoryRows = await compare(3, [
    { ...memoryComparison(few), title: restingRow },
    { ...memoryComparison(many), title: manyPagesRow },
  ])
  return [...startRows, ...memoryRows]
}

async function startupTime(programs: Programs, database: string): Promise<number> {
  const app = await programs.app(database)
  await app.stop()
  return app.startupTime
}
