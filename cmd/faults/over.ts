type Undo = () => unknown

const undos: Undo[] = []
let last = Promise.resolve()
let interrupted = false

/** Keeps what is to be done when a fault has been tried: a process to end, a folder to remove, a disk to unmount. */
export function whenOver(undo: Undo): void {
  undos.push(undo)
  if (interrupted) void over()
}

/** Undoes all of it, the last first, one after the other. What cannot be undone is told, and keeps nothing else. */
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

/** The same for good: what a fault still begins is undone at once. */
export function overForGood(): Promise<void> {
  interrupted = true
  return over()
}

/** Whether what is measured from here on says nothing. */
export function isInterrupted(): boolean {
  return interrupted
}
