// Milliseconds: the click of a finger comes a little after the finger is lifted, the click of a mouse at once.
const clickAfter = 50

/** Resolved once the present press is over; undefined while there is none. */
let press: PromiseWithResolvers<void> | undefined
let timer: number | undefined

/** Follows from now on whether somebody presses something, by a mouse, a finger or a pen. */
export function followPresses(): void {
  // A press may end unnoticed, as outside the window: the next move, with no button held, then ends it.
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const)
    document.addEventListener(type, follow, { capture: true })
}

/** Resolves once nothing is pressed, and the press has made its click: what is pressed must not move before. */
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
