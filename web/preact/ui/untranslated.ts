/**
 * What no program is to translate. Preact leaves `translate={false}` out of the HTML of the server; by this name it is an
 * attribute there and in the browser.
 */
export const untranslated = { Translate: 'no' }
