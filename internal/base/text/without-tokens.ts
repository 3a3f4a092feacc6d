import { appName } from '../../../web/contract/name.ts'

// Tokens are found percent-encoded too, even more than once, and in any case: whoever reads the log could decode them.
const percent = '%(?:25)*'
const encoded = `${percent}(?:2d|3\\d|[46][1-9a-f]|5[\\daf]|7[\\da])`
// The form of every token that a path takes: expiry, dot, MAC (spec: Tokens that are kept nowhere). The expiry is bounded, since
// a long path of letters would otherwise be walked through again from each of them, for seconds.
const signed = `(?:[\\da-z]|${encoded}){1,16}(?:\\.|${percent}2e)(?:[\\w-]|${encoded}){22}`
// No path takes an API token, but one may be pasted into it; with some letters lost, the rest of it is no less a secret.
const ofApi = `${Array.from(`${appName}_`, inAnyCase).join('')}(?:[a-z2-7]|${encoded}){26,}`
const token = new RegExp(`${signed}|${ofApi}`, 'gi')

function inAnyCase(letter: string): string {
  const codes = [letter, letter.toUpperCase()].map((one) => one.charCodeAt(0).toString(16))
  return `(?:${letter}|${percent}(?:${codes.join('|')}))`
}

/** A text, such as a path, with `[token]` in the place of each token. */
export function withoutTokens(text: string): string {
  return text.replace(token, '[token]')
}
