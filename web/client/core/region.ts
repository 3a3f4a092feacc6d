/** The element of this ID that the client keeps before the page in the body; made the first time. */
export function region(id: string, className = id): HTMLElement {
  const there = document.getElementById(id)
  if (there) return there
  const made = document.createElement('div')
  made.id = id
  made.className = className
  document.body.prepend(made)
  return made
}
