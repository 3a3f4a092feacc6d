/**
 * What only a script answers, or as the buttons of a form with a photo what a script does something before. What the
 * client itself answers waits for nothing.
 */
const answered =
  '#app [type=button]:not([data-show-password]),[data-passkey],form:has([data-crop]) button'

/**
 * Holds back presses of what a script answers until all that does is at work, and makes them then: none is lost to a
 * module that is still on its way.
 */
export async function holdPresses(work: Promise<unknown>): Promise<void> {
  const held = new Set<HTMLElement>()
  const hold = (event: Event) => {
    const pressed = (event.target as Element).closest<HTMLElement>(answered)
    if (!pressed) return
    event.preventDefault()
    event.stopPropagation()
    held.add(pressed)
  }
  document.addEventListener('click', hold, true)
  await Promise.allSettled([work])
  document.removeEventListener('click', hold, true)
  for (const pressed of held) pressed.click()
}
