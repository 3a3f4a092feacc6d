/** Tells listeners in this process that there may be something to do. */
export interface Signal {
  send(): void
  /** Calls `listener` each time the signal is sent, until the function that it returns is called. */
  listen(listener: () => void): () => void
}

export function makeSignal(): Signal {
  const listeners = new Set<() => void>()
  return {
    send() {
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
