/** Returns the element with this ID at the start of the body; the first call creates it. */
export function region(id: string, className = id): HTMLElement {
  const there = document.getElementById(id)
  if (there) return there
  const made = document.createElement('div')
  made.id = id
  made.className = className
  document.body.prepend(made)
  return made
}
