import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { frontendNames } from '../build/frontend-build.ts'
import { readCommandLine, Refusal } from '../build/command-line.ts'
import { databaseNames } from '../build/options.ts'

/** The choices made when an app is created. */
export interface Choices {
  /** Letters and digits (contract: App name). */
  readonly name: string
  readonly database: string
  readonly frontend: string
}

/** The arguments of the command line. */
export interface Arguments extends Partial<Choices> {
  /** The folder that relative ones begin at, such as one that is typed later. */
  readonly from: string
  /** Absolute. */
  readonly folder?: string
  /** Whether the app exists, and its branch is to be updated to what would be created today. */
  readonly again: boolean
}

const usage = `npm run create -- ../shop --name shop --database ${databaseNames.join('|')} --frontend ${frontendNames.join('|')}`

/** Asks a person a question, with a suggested answer. */
export type Ask = (question: string, suggested: string) => Promise<string>

/** Parses the command line; folders are relative to `from`. Throws a Refusal. */
export function readArguments(args: readonly string[], from: string): Arguments {
  const { values, positionals } = parseArguments(args)
  const [folder, ...surplusFolders] = positionals
  if (surplusFolders.length > 0)
    throw new Refusal(`Name one folder, not ${positionals.join(' and ')}.`, 2)
  const { again = false, ...choices } = values
  const [option] = Object.keys(choices)
  if (again && option !== undefined)
    throw new Refusal(
      `--again takes the folder alone, not --${option}: the app stays what it was made as.`,
      2,
    )
  return { ...choices, from, again, ...(folder !== undefined && { folder: resolve(from, folder) }) }
}

function parseArguments(args: readonly string[]) {
  const stringOption = { type: 'string' } as const
  const options = {
    name: stringOption,
    database: stringOption,
    frontend: stringOption,
    again: { type: 'boolean' },
  } as const
  return readCommandLine(`Usage: ${usage} [--again]`, {
    args: [...args],
    options,
    allowPositionals: true,
  })
}

/**
 * Returns the given choices, completed by the person's answers or, without a terminal, by the defaults; the folder
 * must be named.
 */
export async function allChoices(
  args: Arguments,
  ask: Ask | undefined,
): Promise<Choices & { readonly folder: string }> {
  if (!ask && args.folder === undefined) throw new Refusal(`Name a folder: ${usage}`, 2)
  const askOrSuggest = ask ?? (async (_question, suggested) => suggested)
  const folder = checkEmpty(
    args.folder ?? resolve(args.from, await askOrSuggest('Folder', '../shop')),
  )
  const name = checkName(args.name ?? (await askOrSuggest('Name', suggestedName(folder))))
  const choose = async (
    choice: 'database' | 'frontend',
    names: readonly string[],
    suggested: string,
  ) =>
    checkChoice(
      names,
      args[choice] ?? (await askOrSuggest(`${choice}: ${names.join(', ')}`, suggested)),
      choice,
    )
  return {
    folder,
    name,
    database: await choose('database', databaseNames, 'sqlite'),
    frontend: await choose('frontend', frontendNames, 'preact'),
  }
}

/** Returns the name of a folder as Docker and systemd take a name, too; empty if it has no letter. */
function suggestedName(folder: string): string {
  return basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replace(/^[0-9]+/, '')
}

function checkName(name: string): string {
  if (name === '') throw new Refusal('Name the app, such as by --name shop.', 2)
  if (/^[A-Za-z0-9]+$/.test(name)) return name
  throw new Refusal(`A name has letters and digits only, not: ${name}`, 2)
}

function checkChoice(names: readonly string[], value: string, choice: string): string {
  if (names.includes(value)) return value
  throw new Refusal(`--${choice} takes ${names.join(', ')}, not: ${value}`, 2)
}

/** Returns the folder. Throws a Refusal if it is not empty. */
function checkEmpty(folder: string): string {
  if (!existsSync(folder)) return folder
  if (statSync(folder).isDirectory() && readdirSync(folder).length === 0) return folder
  throw new Refusal(`${folder} has something in it: name a folder that is empty or not there.`, 2)
}
