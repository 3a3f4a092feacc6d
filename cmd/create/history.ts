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

/** Whether a project has the branch. */
export function hasBranch(folder: string): boolean {
  try {
    git(folder, ['rev-parse', '--verify', `refs/heads/${branch}`])
    return true
  } catch {
    // No repository, no commit, or another branch: all the same to who asks.
    return false
  }
}

/** Puts some files as the branch of a project holds them into `made`. */
export function takeFromBranch(project: string, made: string, files: string): void {
  withIndex(project, made, (places) => git(made, ['checkout', branch, '--', files], places))
}

/** Puts what lies in `made` on top of the branch of a project. False when it is what the branch holds already. */
export function addToBranch(project: string, made: string): boolean {
  const before = git(project, ['rev-parse', '--verify', `refs/heads/${branch}`])
  const tree = withIndex(project, made, (places) => {
    git(made, ['add', '--all'], places)
    return git(made, ['write-tree'], places)
  })
  if (tree === git(project, ['rev-parse', `${before}^{tree}`])) return false
  const words = ['commit-tree', tree, '-p', before, '-m', message('Take over')]
  const commit = git(project, [...author(project), ...words])
  git(project, ['update-ref', `refs/heads/${branch}`, commit, before])
  return true
}

type Places = Readonly<Record<string, string>>

/** Has work done with the repository of a project in another folder, by an index of its own: the project's stays as it is. */
function withIndex<Result>(
  project: string,
  made: string,
  work: (places: Places) => Result,
): Result {
  const own = mkdtempSync(join(tmpdir(), 'index-'))
  try {
    return work({
      GIT_DIR: git(project, ['rev-parse', '--absolute-git-dir']),
      GIT_WORK_TREE: made,
      GIT_INDEX_FILE: join(own, 'index'),
    })
  } finally {
    rmSync(own, { recursive: true })
  }
}

/** Says what it was made from, for who looks for what came after. */
function message(what: string): string {
  const [commit] = git(root, ['log', '-1', '--format=%h %cs']).split('\n')
  return `${what} what was made from the original of ${commit}`
}

/** Somebody, where git knows nobody. */
function author(folder: string): string[] {
  try {
    git(folder, ['config', 'user.email'])
    return []
  } catch {
    return ['-c', 'user.name=owner', '-c', 'user.email=owner@localhost']
  }
}

function git(cwd: string, words: readonly string[], places = {}): string {
  return run(cwd, 'git', words, places)
}
