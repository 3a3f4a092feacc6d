import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changes, isConfirmed } from './tools/changes.ts'
import { Visitor } from './tools/client.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { newFolder, type Server, start } from './tools/servers.ts'
import { need } from './tools/system-tools.ts'

const tracedCalls = 'fsync,fdatasync,write,writev,sendto,sendmsg,pwrite64,rename'

/** What a power cut would leave: checks that the system calls that make a change durable precede its answer. */
export async function fsync({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 1 : 10
  const observations: Observation[] = []
  for (let round = 0; round < rounds; round++) observations.push(...(await observeChanges()))
  const failures = observations.filter(
    ({ unsynced, commits }) => unsynced.length > 0 || commits === 0,
  )
  const lines = failures.map(
    ({ name, unsynced }) => `${name}: ${unsynced.join(', ') || 'no commit'}`,
  )
  return [
    {
      fault: `a power cut at any time, by the order of calls, ${rounds} times ${changes.length} kinds of change`,
      promise: 'a 303 means that the change was fsynced: the database, and the file of a photo',
      figures:
        `${observations.length} answered with 303; ${observations.length - failures.length} after a commit whose fsync had returned` +
        (lines.length > 0 ? `; not: ${lines.join('; ')}` : ''),
      isKept: failures.length === 0,
    },
  ]
}

interface Observation {
  readonly name: string
  /** fsyncs of the database's log since the previous answer. */
  readonly commits: number
  /** Files that were written, but not fsynced, when the 303 was sent. */
  readonly unsynced: readonly string[]
}

async function observeChanges(): Promise<Observation[]> {
  const file = join(newFolder(), 'calls')
  const { folder } = await createFilledDatabase(1)
  const straceCommand = [
    need('strace'),
    '-D',
    '-f',
    '-qq',
    '--seccomp-bpf',
    '-yy',
    '-s',
    '20',
    '-o',
    file,
  ]
  // No workers, so that every commit belongs to the change.
  const settings = { QUEUE_WORKERS: '0', FILES_PATH: join(folder, 'files') }
  const launcher = [...straceCommand, '-e', `trace=${tracedCalls}`]
  const server = await start({ folder, settings, launcher })
  await makeAll(server)
  await server.stop()
  const answers = readAnswers(parseCalls(readFileSync(file, 'utf8')), folder)
  return changes.map(({ name }, n) => ({
    name,
    ...(answers[n] ?? { commits: 0, unsynced: ['no 303 seen'] }),
  }))
}

async function makeAll(server: Server): Promise<void> {
  const visitor = new Visitor(server)
  for (const change of changes) {
    const answer = await change.make(visitor)
    if (!isConfirmed(change, answer))
      throw new Error(`${change.name}: ${answer.status} ${answer.headers.location}`)
  }
  visitor.leave()
}

/** A system call and its arguments, once when it begins and once when it has returned. */
interface Call {
  readonly name: string
  readonly args: string
  readonly isStart: boolean
  readonly hasSucceeded: boolean
}

function parseCalls(log: string): Call[] {
  const unfinished = new Map<string, { name: string; args: string }>()
  return log.split('\n').flatMap((line): Call[] => {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const [, resumedName] = /^<\.\.\. (\w+) resumed>/.exec(rest) ?? []
    if (resumedName !== undefined) {
      const { name, args } = unfinished.get(thread) ?? { name: resumedName, args: '' }
      return [{ name, args, isStart: false, hasSucceeded: isSuccess(rest) }]
    }
    const [, name, args = ''] = /^(\w+)\((.*)/.exec(rest) ?? []
    if (name === undefined) return []
    const start = { name, args, isStart: true, hasSucceeded: false }
    if (!rest.includes('<unfinished ...>'))
      return [start, { ...start, isStart: false, hasSucceeded: isSuccess(rest) }]
    unfinished.set(thread, start)
    return [start]
  })
}

function isSuccess(line: string): boolean {
  return / = \d+$/.test(line)
}

function readAnswers(calls: readonly Call[], folder: string): Omit<Observation, 'name'>[] {
  const answers: Omit<Observation, 'name'>[] = []
  const unsyncedFiles = new Set<string>()
  let commits = 0
  for (const { name, args, isStart, hasSucceeded } of calls) {
    const [, path = '', file = ''] = /^\d+<((?:[^>]*\/)?([^/>]*))>/.exec(args) ?? []
    const isSync = name === 'fsync' || name === 'fdatasync'
    if (isSync && !isStart && hasSucceeded) {
      if (unsyncedFiles.delete(path) && file === 'app.db-wal') commits++
    } else if (/^p?write/.test(name) && isStart && mustBeSynced(path, folder))
      unsyncedFiles.add(path)
    else if (name === 'rename' && isStart) recordRename(args, unsyncedFiles)
    else if (isStart && args.includes('"HTTP/1.1 303')) {
      answers.push({ commits, unsynced: [...unsyncedFiles] })
      commits = 0
    }
  }
  return answers
}

/** Whether a file must be fsynced: the database's log and photos. The database itself can be recovered from its log. */
function mustBeSynced(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/files/`) || path === `${folder}/app.db-wal`
}

/** Records a rename: the new name is durable once its folder is fsynced. */
function recordRename(args: string, unsyncedFiles: Set<string>): void {
  const [, to] = /", "([^"]*)\/[^/"]*"/.exec(args) ?? []
  if (to !== undefined) unsyncedFiles.add(to)
}
