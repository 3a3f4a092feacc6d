/** Returns a browser's name: `Firefox unter Linux`, or as much of it as is known. */
export function browserName({
  browser,
  system,
}: {
  readonly browser: string | null
  readonly system: string | null
}): string {
  const name = browser ?? 'Unbekannter Browser'
  return system === null ? name : `${name} unter ${system}`
}
