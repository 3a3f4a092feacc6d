type Undo = () => unknown

const undos: Undo[] = []
let last = Promise.resolve()
let interrupted = false

/** Notes something to undo when a fault has been tried: a process to end, a folder to remove, a disk to unmount. */
export function whenOver(undo: Undo): void {
  undos.push(undo)
  if (interrupted) void over()
}

/**
 * Undoes all that was noted, one after the other, the last first. A failure is printed, and the rest is undone still.
 */
export function over(): Promise<void> {
  return (last = last.then(undoAll))
}

async function undoAll(): Promise<void> {
  for (let undo = undos.pop(); undo; undo = undos.pop()) {
    try {
      await undo()
    } catch (error) {
      console.error(error)
    }
  }
}

/** Undoes all, and from then on at once whatever a fault still notes: for an interrupt. */
export function overForGood(): Promise<void> {
  interrupted = true
  return over()
}

/** Whether the run was interrupted, so that what is measured from then on means nothing. */
export function isInterrupted(): boolean {
  return interrupted
}
