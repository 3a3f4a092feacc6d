/**
 * Buttons that need a part's script, and those of a form with a photo, which a script prepares before
 * sending. What the client itself handles is not delayed.
 */
const buttonsNeedingScripts =
  '#app [type=button]:not([data-show-password]),[data-passkey],form:has([data-crop]) button'

/**
 * Holds clicks on such buttons back until the work is done, then replays them: from the client's start on, no
 * click is lost while a module is still loading.
 */
export async function holdPresses(work: Promise<unknown>): Promise<void> {
  const held = new Set<HTMLElement>()
  const hold = (event: Event) => {
    const pressed = (event.target as Element).closest<HTMLElement>(buttonsNeedingScripts)
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
