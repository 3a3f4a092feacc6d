/** Tells listeners in this process that there may be something to do. */
export interface Signal {
  send(): void
  /** Calls `heard` each time the signal is sent, until the function that it returns is called. */
  listen(heard: () => void): () => void
}

export function makeSignal(): Signal {
  const listeners = new Set<() => void>()
  return {
    send() {
      for (const heard of listeners) heard()
    },
    listen(heard) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
  }
}
