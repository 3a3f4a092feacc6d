/**
 * Buttons that only a part's script answers, and those of a form with a photo, where a script does something before.
 * What the client itself answers waits for nothing.
 */
const answered =
  '#app [type=button]:not([data-show-password]),[data-passkey],form:has([data-crop]) button'

/**
 * Holds presses of such buttons back until the work is done, and makes them then: from when the client starts, none is
 * lost while a module is still on its way.
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
