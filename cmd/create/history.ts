import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from './run.ts'

/** The branch that holds an app as it was created, for later improvements to be merged from. */
export const branch = 'original'

const root = resolve(import.meta.dirname, '../..')

/** Begins the history of a project: one commit, which the branch holds too. */
export function beginHistory(folder: string): void {
  git(folder, ['init', '--quiet', '--initial-branch=main'])
  git(folder, ['add', '--all'])
  git(folder, [...author(folder), 'commit', '--quiet', '--message', message('Begin')])
  git(folder, ['branch', branch])
}

/** Why a project's branch cannot be used, in a sentence; undefined when it can. */
export function whyNoBranch(folder: string): string | undefined {
  try {
    const ref = git(folder, ['for-each-ref', `refs/heads/${branch}`])
    if (ref === '') return `${folder} has no branch ${branch}, as an app has that was made here.`
  } catch (error) {
    // No repository, or one that git does not trust: git says what to do.
    return error instanceof Error ? error.message : String(error)
  }
  return undefined
}

/** Puts files of the project's branch into the folder `copy`. */
export function takeFromBranch(project: string, copy: string, files: string): void {
  withIndex(project, copy, (env) => git(copy, ['checkout', branch, '--', files], env))
}

/** Commits the content of the folder `copy` to the project's branch. False when the branch has the same already. */
export function addToBranch(project: string, copy: string): boolean {
  const before = git(project, ['rev-parse', '--verify', `refs/heads/${branch}`])
  const tree = withIndex(project, copy, (env) => {
    git(copy, ['add', '--all'], env)
    return git(copy, ['write-tree'], env)
  })
  if (tree === git(project, ['rev-parse', `${before}^{tree}`])) return false
  const args = ['commit-tree', tree, '-p', before, '-m', message('Take over')]
  const commit = git(project, [...author(project), ...args])
  git(project, ['update-ref', `refs/heads/${branch}`, commit, before])
  return true
}

type Env = Readonly<Record<string, string>>

/**
 * Does work with a project's repository, but in another folder, and by an index of its own, so that the project's
 * stays.
 */
function withIndex<Result>(project: string, copy: string, work: (env: Env) => Result): Result {
  const indexFolder = mkdtempSync(join(tmpdir(), 'index-'))
  try {
    return work({
      GIT_DIR: git(project, ['rev-parse', '--absolute-git-dir']),
      GIT_WORK_TREE: copy,
      GIT_INDEX_FILE: join(indexFolder, 'index'),
    })
  } finally {
    rmSync(indexFolder, { recursive: true })
  }
}

/** A commit's message with the commit of this project that the app was made from, for those who look for later ones. */
function message(verb: string): string {
  const [commit] = git(root, ['log', '-1', '--format=%h %cs']).split('\n')
  return `${verb} what was made from the original of ${commit}`
}

/** Options that name an author, if git knows none. */
function author(folder: string): string[] {
  try {
    git(folder, ['config', 'user.email'])
    return []
  } catch {
    return ['-c', 'user.name=owner', '-c', 'user.email=owner@localhost']
  }
}

function git(cwd: string, args: readonly string[], env = {}): string {
  return run(cwd, 'git', args, env)
}
