import { appName } from '../../../web/contract/name.ts'

// Tokens are found percent-encoded too, even repeatedly, in any case: a reader of the log could decode them.
const percent = '%(?:25)*'
const encoded = `${percent}(?:2d|3\\d|[46][1-9a-f]|5[\\daf]|7[\\da])`
// The form of every token in a path: expiry, dot, MAC (spec: Tokens that are kept nowhere). The expiry is
// bounded: otherwise a long path of letters would be scanned anew from each of them, for seconds.
const signed = `(?:[\\da-z]|${encoded}){1,16}(?:\\.|${percent}2e)(?:[\\w-]|${encoded}){22}`
// No path takes an API token, but one may be pasted into it; with letters lost, the rest is no less secret.
const ofApi = `${Array.from(`${appName}_`, inAnyCase).join('')}(?:[a-z2-7]|${encoded}){26,}`
const token = new RegExp(`${signed}|${ofApi}`, 'gi')

function inAnyCase(letter: string): string {
  const codes = [letter, letter.toUpperCase()].map((one) => one.charCodeAt(0).toString(16))
  return `(?:${letter}|${percent}(?:${codes.join('|')}))`
}

/** Returns a text, such as a path, with each token replaced by `[token]`. */
export function withoutTokens(text: string): string {
  return text.replace(token, '[token]')
}
