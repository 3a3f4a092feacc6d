/** Returns a browser's name: `<browser> on <system>`, or as much of it as is known. */
export function browserName({
  browser,
  system,
}: {
  readonly browser: string | null
  readonly system: string | null
}): string {
  if (system === null) return browser ?? 'a browser'
  return `${browser ?? 'a browser'} on ${system}`
}
