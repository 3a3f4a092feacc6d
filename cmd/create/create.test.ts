import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import project from '../../package.json' with { type: 'json' }
import { memory } from '../../internal/testing/processes/folders.ts'
import { pathsOfChanges } from '../../internal/testing/formats/readme-paths.ts'
import { allChoices, type Choices, readArguments } from './choices.ts'
import { sourcesFor, writeSources } from './create.ts'
import { addToBranch, beginHistory, branch, takeFromBranch, branchProblem } from './history.ts'
import { patternOfOthers } from './left-out.ts'
import { manifestFor } from './manifest.ts'
import { run } from './run.ts'
import { openTerminal } from './terminal.ts'

const chosen = { name: 'shop', database: 'postgres', frontend: 'svelte', from: '/', again: false }

function emptyFolder(): string {
  const folder = mkdtempSync(join(memory, 'create-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('an empty or missing folder is accepted, and one with files is refused in one sentence', async () => {
  const folder = emptyFolder()
  const inside = join(folder, 'shop')
  expect(await allChoices({ ...chosen, folder }, undefined)).toMatchObject({ folder })
  expect(await allChoices({ ...chosen, folder: inside }, undefined)).toMatchObject({
    folder: inside,
  })
  mkdirSync(inside)
  await expect(allChoices({ ...chosen, folder }, undefined)).rejects.toMatchObject({
    message: `${folder} has something in it: name a folder that is empty or not there.`,
    exitCode: 2,
  })
})

test('an invalid name and an unknown database or frontend are refused', async () => {
  const folder = emptyFolder()
  const refused = (changes: Partial<Choices>) =>
    expect(allChoices({ ...chosen, folder, ...changes }, undefined)).rejects
  for (const name of ['my-shop', '@me/shop', 'a b']) {
    const message = `A name has letters and digits only, not: ${name}`
    await refused({ name }).toMatchObject({ message, exitCode: 2 })
  }
  await refused({ database: 'oracle' }).toThrow(
    '--database takes mysql, postgres, sqlite, not: oracle',
  )
  await refused({ frontend: 'elm' }).toThrow('--frontend takes preact, svelte, vue, not: elm')
})

test('missing choices are asked for or get defaults, and arguments that do not fit are wrong usage', async () => {
  const from = emptyFolder()
  const folder = join(from, '2-My-Shop')
  const questions: string[] = []
  const ask = async (question: string, suggested: string) => {
    questions.push(question)
    return question === 'Folder' ? 'typed' : suggested
  }
  expect(await allChoices({ folder, database: 'mysql', from, again: false }, ask)).toEqual({
    folder,
    name: 'myshop',
    database: 'mysql',
    frontend: 'preact',
  })
  expect(questions).toEqual(['Name', 'frontend: preact, svelte, vue'])
  expect(await allChoices({ folder, from, again: false }, undefined)).toEqual({
    folder,
    name: 'myshop',
    database: 'sqlite',
    frontend: 'preact',
  })
  expect(await allChoices({ from, again: false }, ask)).toMatchObject({
    folder: join(from, 'typed'),
  })
  await expect(
    allChoices({ folder: join(from, '123'), from, again: false }, undefined),
  ).rejects.toThrow('Name the app, such as by --name shop.')
  await expect(allChoices({ from, again: false }, undefined)).rejects.toMatchObject({
    message: expect.stringMatching(/^Name a folder: npm run create -- /) as string,
    exitCode: 2,
  })
  expect(() => readArguments(['../shop', '--again', '--database', 'mysql'], '/home/ann')).toThrow(
    '--again takes the folder alone, not --database',
  )
  expect(readArguments(['../shop', '--again'], '/home/ann')).toEqual({
    folder: '/home/shop',
    from: '/home/ann',
    again: true,
  })
  expect(() => readArguments(['one', 'two'], '/')).toThrow('Name one folder')
  expect(() => readArguments(['--fast'], '/')).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message: expect.stringMatching(/--fast.*npm run create/),
    }),
  )
  expect(() => readArguments(['--help'], '/')).toThrow(expect.objectContaining({ exitCode: 0 }))
})

test('a person who ends the input instead of answering is told that nothing was made', async () => {
  const ends = [
    (input: PassThrough) => input.write('\u0003'),
    (input: PassThrough) => input.write('\u0004'),
    (input: PassThrough) => input.end(),
  ]
  for (const end of ends) {
    const input = new PassThrough()
    const output = Object.assign(new PassThrough(), { isTTY: true })
    const terminal = openTerminal(input, output)
    const asked = terminal.ask('Folder', '../shop')
    end(input)
    await expect(asked).rejects.toMatchObject({ message: 'Nothing was made.', exitCode: 2 })
    await expect(terminal.ask('Name', 'shop')).rejects.toMatchObject({ exitCode: 2 })
  }
})

const combinations: readonly Choices[] = [
  { name: 'shop', database: 'sqlite', frontend: 'preact' },
  { name: 'shop', database: 'postgres', frontend: 'svelte' },
  { name: 'shop', database: 'mysql', frontend: 'vue' },
]

test('no file name, package, condition or word of a created project mentions what was not chosen', () => {
  const lines = combinations.flatMap((choices) => {
    const manifest = JSON.stringify(manifestFor(project, choices), null, 2)
    const files = sourcesFor(choices).set('package.json', manifest)
    // npm lists there which packages would be installed as well.
    files.delete('package-lock.json')
    const pattern = new RegExp(patternOfOthers(choices), 'gi')
    return Array.from(
      files,
      ([file, text]) => `${file}:\n${typeof text === 'string' ? text : ''}`,
    ).flatMap((text) => Array.from(text.matchAll(pattern), ({ index }) => lineAt(index, text)))
  })
  expect(lines).toEqual([])
})

test('a created project names only npm scripts that it has, and the one that made it', () => {
  const missing = combinations.flatMap((choices) => {
    const scripts = new Set(['create', ...Object.keys(manifestFor(project, choices).scripts)])
    return Array.from(sourcesFor(choices), ([file, text]) =>
      Array.from(String(text).matchAll(/\bnpm run ([\w:]+)/g), ([, script = '']) => script)
        .filter((script) => !scripts.has(script))
        .map((script) => `${file}: ${script}`),
    ).flat()
  })
  expect(missing).toEqual([])
})

test('the README of a created project names only paths that exist in its list of changes', () => {
  const missing = combinations.flatMap((choices) => {
    const files = sourcesFor(choices)
    const isThere = (path: string) =>
      files.has(path) || (path.endsWith('/') && files.keys().some((file) => file.startsWith(path)))
    return pathsOfChanges(String(files.get('README.md'))).filter((path) => !isThere(path))
  })
  expect(missing).toEqual([])
})

test('every relative import in a created project resolves to one of its files', () => {
  const missing = combinations.flatMap((choices) => {
    const files = sourcesFor(choices)
    return Array.from(files, ([file, text]) =>
      /\.[jt]sx?$/.test(file) && typeof text === 'string'
        ? importsOf(text)
            .filter((path) => !files.has(join(dirname(file), path)))
            .map((path) => `${file}: ${path}`)
        : [],
    ).flat()
  })
  expect(missing).toEqual([])
})

test.each(combinations)(
  'a created project on $database with $frontend has no unused code, and every type in it fits',
  (choices) => {
    const folder = emptyFolder()
    writeSources(folder, choices)
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifestFor(project, choices)))
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    expect(run(folder, process.execPath, ['node_modules/knip/bin/knip.js'])).toBe('')
    expect(run(folder, process.execPath, ['node_modules/typescript-7/bin/tsc'])).toBe('')
  },
)

/** Returns the relative paths that a file imports, except those in its string literals. */
function importsOf(text: string): string[] {
  return Array.from(
    text.matchAll(/^[^"`\n]*\b(?:from |import\()'(\.{1,2}\/[^']+)'/gm),
    ([, path = '']) => path,
  )
}

/** Returns the line at this position, with its file. */
function lineAt(index: number, text: string): string {
  const line = text.slice(text.lastIndexOf('\n', index) + 1).split('\n')[0]
  return `${text.split('\n')[0]} ${line}`
}

test('a created project gets changes of the original on a branch and keeps the changes of its owner', () => {
  const [folder, copy] = [emptyFolder(), emptyFolder()]
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@x.test', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  const files = { 'a.txt': 'one\n', 'b.txt': 'two\n' }
  for (const [name, text] of Object.entries(files))
    for (const place of [folder, copy]) writeFileSync(join(place, name), text)
  expect(branchProblem(folder)).toContain('not a git repository')
  git('init', '--quiet')
  expect(branchProblem(folder)).toContain(`no branch ${branch}`)
  beginHistory(folder)
  expect(branchProblem(folder)).toBeUndefined()
  expect(addToBranch(folder, copy)).toBe(false)
  writeFileSync(join(copy, 'a.txt'), 'drawn again\n')
  takeFromBranch(folder, copy, '*.txt')
  expect(addToBranch(folder, copy)).toBe(false)
  writeFileSync(join(folder, 'a.txt'), 'mine\n')
  git('commit', '--quiet', '--all', '--message', 'Mine')
  writeFileSync(join(copy, 'b.txt'), 'new\n')
  expect(addToBranch(folder, copy)).toBe(true)
  expect(addToBranch(folder, copy)).toBe(false)
  expect(git('status', '--porcelain')).toBe('')
  git('merge', '--quiet', '--no-edit', 'original')
  expect(readFileSync(resolve(folder, 'a.txt'), 'utf8')).toBe('mine\n')
  expect(readFileSync(resolve(folder, 'b.txt'), 'utf8')).toBe('new\n')
})
