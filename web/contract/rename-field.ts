/** Returns the name of the field that renames a passkey: its page has a `name`, and errors, of other forms too. */
export function renameField(id: number): string {
  return `name-${id}`
}
