// Milliseconds. The click of a finger comes a little after the finger is gone, that of a mouse at once.
const clickAfter = 50

/** Settled once the present press is over. */
let press: PromiseWithResolvers<void> | undefined
let timer: number | undefined

/** Follows from now on whether somebody presses something, by a mouse, a finger or a pen. */
export function followPresses(): void {
  // One that ended where the page was not told of it is over by the next move.
  for (const type of ['pointerdown', 'pointermove', 'pointerup', 'pointercancel'] as const)
    document.addEventListener(type, follow, { capture: true })
}

/** Resolves once nobody presses anything, and what was pressed is clicked: it must not move until then. */
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
