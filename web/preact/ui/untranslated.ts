/**
 * Excludes an element from machine translation. Preact omits `translate={false}` from the server's HTML; with
 * this spelling it is an attribute there and in the browser.
 */
export const untranslated = { Translate: 'no' }
