import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { errorCode } from '../error-code.ts'
import type { Fault } from './config-error.ts'
import type { ConfigWarning } from './config-warning.ts'
import type { Environment } from './config.ts'
import { readDotEnv } from './dot-env.ts'
import { escapeControls } from '../text/escape.ts'
import { misspelledNames } from './misspelled-names.ts'
import { settings } from './settings.ts'
import type { Setting, SettingName } from './settings.ts'

/** What is set in the environment, in `.env` and in the files of secrets. */
interface GatheredSettings {
  readonly hasDotEnv: boolean
  readonly texts: ReadonlyMap<SettingName, string>
  readonly faults: readonly Fault[]
  /** About names in `.env` that look like settings but are none. */
  readonly warnings: readonly ConfigWarning[]
}

/** Gathers the text of each setting. The environment wins over the folder's `.env`; empty means unset. */
export function gatherSettings(environment: Environment, folder: string): GatheredSettings {
  const file = dotEnv(folder)
  const faults = [...file.faults]
  const texts = new Map<SettingName, string>()
  for (const name of Object.keys(settings) as SettingName[]) {
    const { secret }: Setting = settings[name]
    const layer = [environment, file.values].find(
      (layer) => layer[name] || (secret && layer[`${name}_FILE`]),
    )
    const setting = layer && readSetting(name, layer, folder)
    if (setting?.text) texts.set(name, setting.text)
    if (setting?.fault) faults.push(setting.fault)
  }
  return {
    hasDotEnv: file.isThere,
    texts,
    faults,
    warnings: misspelledNames(Object.keys(file.values)),
  }
}

interface ReadSetting {
  readonly text?: string
  readonly fault?: Fault
}

function readSetting(name: SettingName, layer: Environment, folder: string): ReadSetting {
  const { secret }: Setting = settings[name]
  const path = secret && layer[`${name}_FILE`]
  const text = layer[name]
  if (path && text) {
    const message = `${name} and ${name}_FILE are both set. Leave one of them out.`
    // Not the line that sets the value: for APP_KEY that would offer a fresh key.
    return { fault: { variable: name, message, line: fileLine(name), isDoubled: true } }
  }
  return path ? fromFile(name, resolve(folder, path)) : { text }
}

function fromFile(name: SettingName, path: string): ReadSetting {
  const subject = `${name}_FILE names ${quote(path)}`
  const fault = (problem: string): ReadSetting => ({
    fault: {
      variable: `${name}_FILE`,
      message: `${subject}, ${problem}`,
      line: fileLine(name),
    },
  })
  const file = tryRead(path)
  if ('code' in file) return fault(`which cannot be read (${file.code}). Name a file that can.`)
  const text = file.text.replace(/^\ufeff|\r?\n$/g, '')
  return text === '' ? fault('which is empty. Put the secret in it.') : { text }
}

function fileLine(name: SettingName): string {
  return `${name}_FILE=/run/secrets/${name.toLowerCase()}`
}

function dotEnv(folder: string): { isThere: boolean; values: Environment; faults: Fault[] } {
  const file = tryRead(join(folder, '.env'))
  if ('code' in file) {
    const message = `.env cannot be read (${file.code}). Let this user read it, or remove it.`
    const isThere = file.code !== 'ENOENT'
    return { isThere, values: {}, faults: isThere ? [ofDotEnv(message)] : [] }
  }
  const { values, badLines } = readDotEnv(file.text)
  return { isThere: true, values, faults: badLines.map(badLine) }
}

function badLine(line: number): Fault {
  return ofDotEnv(`.env has no name and value on line ${line}. Write one, or put a # before it.`)
}

function ofDotEnv(message: string): Fault {
  return { variable: '.env', message, line: 'NAME=value' }
}

function tryRead(path: string): { text: string } | { code: string } {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    // Reported to whoever starts the program, with every other fault.
    return { code: errorCode(error) || String(error) }
  }
}

/** Returns the line that sets a setting. */
export function lineOf(name: SettingName): string {
  const { line, example }: Setting = settings[name]
  return line ? line() : `${name}=${example}`
}

/** Returns a value as it may be printed: truncated, quoted, and without terminal control characters. */
export function quote(text: string): string {
  const cut = text.length > 100 ? `${text.slice(0, 100)}…` : text
  return escapeControls(JSON.stringify(cut))
}
