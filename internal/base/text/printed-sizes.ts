const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Returns a size as people read it: `56.8 MB`. */
export function sizeOf(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 ? value : value.toFixed(1)} ${units[power]}`
}

/**
 * Returns `1 photo`, `1,000 photos`; `many` is for plurals with more than an s: `1 photo is`, `2 photos are`.
 */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
