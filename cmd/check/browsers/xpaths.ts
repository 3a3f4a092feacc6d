/** XPaths for a `Window` that find elements by their visible text rather than their markup. */

export function button(name: string): string {
  return `//button[${hasText(name)} or @aria-label=${quote(name)}]`
}

export function link(name: string): string {
  return `//a[@href][${hasText(name)}]`
}

/** Matches the `<summary>` that opens a `<details>`. */
export function opener(name: string): string {
  return `//summary[contains(normalize-space(), ${quote(name)})]`
}

export function field(label: string): string {
  return `//input[@id=//label[${hasText(label)}]/@for or ancestor::label[${hasText(label)}]]`
}

export function heading(text: string): string {
  return `//*[self::h1 or self::h2 or self::h3][${hasText(text)}]`
}

export function text(part: string): string {
  return `//*[text()[contains(normalize-space(), ${quote(part)})]]`
}

/** Matches the open dialog that asks this, or an element in it. */
export function dialog(question: string): (xpath?: string) => string {
  return (xpath = '') => `//dialog[@open][.${heading(question)}]${xpath}`
}

/** Matches in the list row that contains this text. */
export function inRow(part: string, xpath: string): string {
  return `//li[.${text(part)}]${xpath}`
}

function hasText(text: string): string {
  return `normalize-space()=${quote(text)}`
}

function quote(text: string): string {
  return text.includes("'") ? `"${text}"` : `'${text}'`
}
