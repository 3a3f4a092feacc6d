/** XPaths for a `Window`, which find elements by the text that people read, not by the markup. */

export function button(name: string): string {
  return `//button[${is(name)} or @aria-label=${quoted(name)}]`
}

export function link(name: string): string {
  return `//a[@href][${is(name)}]`
}

/** The `<summary>` that opens a `<details>`. */
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

/** The open dialog that asks this, or an element in it. */
export function dialog(question: string): (xpath?: string) => string {
  return (xpath = '') => `//dialog[@open][.${heading(question)}]${xpath}`
}

/** A row of a list that has this text in it. */
export function inRow(part: string, xpath: string): string {
  return `//li[.${text(part)}]${xpath}`
}

function is(text: string): string {
  return `normalize-space()=${quoted(text)}`
}

function quoted(text: string): string {
  return text.includes("'") ? `"${text}"` : `'${text}'`
}
