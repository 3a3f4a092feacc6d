type Undo = () => unknown

const undos: Undo[] = []
let lastCleanUp = Promise.resolve()
let hasBeenInterrupted = false

/** Registers something to undo at the end of a fault: a process to end, a folder to remove, a disk to unmount. */
export function onCleanUp(undo: Undo): void {
  undos.push(undo)
  if (hasBeenInterrupted) void cleanUp()
}

/** Undoes everything registered, sequentially and in reverse order. A failure is printed, and the rest still undone. */
export function cleanUp(): Promise<void> {
  return (lastCleanUp = lastCleanUp.then(undoAll))
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

/** Undoes everything, and from then on immediately what a fault still registers: for an interrupt. */
export function cleanUpForGood(): Promise<void> {
  hasBeenInterrupted = true
  return cleanUp()
}

/** Whether the run was interrupted, so that later measurements mean nothing. */
export function isInterrupted(): boolean {
  return hasBeenInterrupted
}
