// Milliseconds: a finger's click comes a little after the finger is lifted, a mouse's click at once.
const clickAfter = 50

/** Resolved once the current press is over; undefined if there is none. */
let press: PromiseWithResolvers<void> | undefined
let timer: number | undefined

/** Starts to track presses of a mouse, a finger or a pen. */
export function followPresses(): void {
  // A press may end unnoticed, as outside the window: the next move without a button then ends it.
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const)
    document.addEventListener(type, follow, { capture: true })
}

/** Resolves once nothing is pressed and the click has fired: a pressed element must not move before. */
export async function pressEnd(): Promise<void> {
  await press?.promise
}

function follow({ buttons }: PointerEvent): void {
  if (buttons > 0) {
    clearTimeout(timer)
    timer = undefined
    press ??= Promise.withResolvers()
  } else if (press) timer ??= window.setTimeout(end, clickAfter)
}

function end(): void {
  press?.resolve()
  press = timer = undefined
}
