/** The element of this ID, which the client keeps in the body before the page; made by the first call. */
export function region(id: string, className = id): HTMLElement {
  const there = document.getElementById(id)
  if (there) return there
  const made = document.createElement('div')
  made.id = id
  made.className = className
  document.body.prepend(made)
  return made
}
