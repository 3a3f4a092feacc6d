import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { messageOf } from '../../internal/base/error-message.ts'
import { run } from './run.ts'

/** The branch that holds an app as it was created, from which later improvements are merged. */
export const branch = 'original'

const root = resolve(import.meta.dirname, '../..')

/** Starts a project's history with one commit, which the branch points to as well. */
export function beginHistory(folder: string): void {
  git(folder, ['init', '--quiet', '--initial-branch=main'])
  git(folder, ['add', '--all'])
  git(folder, [...authorOptions(folder), 'commit', '--quiet', '--message', message('Begin')])
  git(folder, ['branch', branch])
}

/** Returns why a project's branch cannot be used, in a sentence; undefined if it can. */
export function branchProblem(folder: string): string | undefined {
  try {
    const ref = git(folder, ['for-each-ref', `refs/heads/${branch}`])
    if (ref === '') return `${folder} has no branch ${branch}, as an app has that was made here.`
  } catch (error) {
    // Not a repository, or one that git does not trust: git says what to do.
    return messageOf(error)
  }
  return undefined
}

/** Checks files of the project's branch out into the folder `copy`. */
export function takeFromBranch(project: string, copy: string, files: string): void {
  withIndex(project, copy, (env) => git(copy, ['checkout', branch, '--', files], env))
}

/**
 * Commits the content of the folder `copy` to the project's branch. False if the branch has the same content already.
 */
export function addToBranch(project: string, copy: string): boolean {
  const parentCommit = git(project, ['rev-parse', '--verify', `refs/heads/${branch}`])
  const tree = withIndex(project, copy, (env) => {
    git(copy, ['add', '--all'], env)
    return git(copy, ['write-tree'], env)
  })
  if (tree === git(project, ['rev-parse', `${parentCommit}^{tree}`])) return false
  const args = ['commit-tree', tree, '-p', parentCommit, '-m', message('Take over')]
  const commit = git(project, [...authorOptions(project), ...args])
  git(project, ['update-ref', `refs/heads/${branch}`, commit, parentCommit])
  return true
}

type Env = Readonly<Record<string, string>>

/**
 * Runs `work` with a project's repository but another working folder and index, so that the project's own stay
 * unchanged.
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

/** Returns a commit message naming the commit of this project that the app was made from, to find later ones. */
function message(verb: string): string {
  const [commit] = git(root, ['log', '-1', '--format=%h %cs']).split('\n')
  return `${verb} what was made from the original of ${commit}`
}

/** Returns options that name an author, if git has none configured. */
function authorOptions(folder: string): string[] {
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
