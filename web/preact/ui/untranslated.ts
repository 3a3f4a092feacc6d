/**
 * Keeps translators in browsers off an element. Preact leaves `translate={false}` out of the server's HTML; by this
 * name it is an attribute there and in the browser.
 */
export const untranslated = { Translate: 'no' }
