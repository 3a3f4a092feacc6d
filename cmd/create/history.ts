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
    const found = git(folder, ['for-each-ref', `refs/heads/${branch}`])
    if (found === '') return `${folder} has no branch ${branch}, as an app has that was made here.`
  } catch (error) {
    // No repository, or one that git does not trust: git says what to do.
    return error instanceof Error ? error.message : String(error)
  }
  return undefined
}

/** Puts files of the project's branch into the folder `made`. */
export function takeFromBranch(project: string, made: string, files: string): void {
  withIndex(project, made, (places) => git(made, ['checkout', branch, '--', files], places))
}

/** Commits the content of the folder `made` to the project's branch. False when the branch has the same already. */
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

/**
 * Does work with a project's repository, but in another folder, and by an index of its own, so that the project's
 * stays.
 */
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

/** A commit's message with the commit of this project that the app was made from, for those who look for later ones. */
function message(what: string): string {
  const [commit] = git(root, ['log', '-1', '--format=%h %cs']).split('\n')
  return `${what} what was made from the original of ${commit}`
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

function git(cwd: string, words: readonly string[], places = {}): string {
  return run(cwd, 'git', words, places)
}
