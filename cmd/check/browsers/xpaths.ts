/** XPaths for a `Window` that find elements by their visible text rather than their markup. */

export function button(name: string): string {
  return `//button[${is(name)} or @aria-label=${quoted(name)}]`
}

export function link(name: string): string {
  return `//a[@href][${is(name)}]`
}

/** Matches the `<summary>` that opens a `<details>`. */
export function opener(name: string): string {
  return `//summary[contains(normalize-space(), ${quoted(name)})]`
}

export function field(label: string): string {
  return `//input[@id=//label[${is(label)}]/@for or ancestor::label[${is(label)}]]`
}

export function heading(text: string): string {
  return `//*[self::h1 or self::h2 or self::h3][${is(text)}]`
}

export function text(part: string): string {
  return `//*[text()[contains(normalize-space(), ${quoted(part)})]]`
}

/** Matches the open dialog that asks this, or an element in it. */
export function dialog(question: string): (xpath?: string) => string {
  return (xpath = '') => `//dialog[@open][.${heading(question)}]${xpath}`
}

/** Matches in the list row that contains this text. */
export function inRow(part: string, xpath: string): string {
  return `//li[.${text(part)}]${xpath}`
}

function is(text: string): string {
  return `normalize-space()=${quoted(text)}`
}

function quoted(text: string): string {
  return text.includes("'") ? `"${text}"` : `'${text}'`
}
