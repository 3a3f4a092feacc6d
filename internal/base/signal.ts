/** Tells those who listen that there may be something to do. */
export interface Bell {
  ring(): void
  /** Calls `heard` at each ring, until what it returns is called. */
  listen(heard: () => void): () => void
}

export function makeBell(): Bell {
  const listeners = new Set<() => void>()
  return {
    ring() {
      for (const heard of listeners) heard()
    },
    listen(heard) {
      listeners.add(heard)
      return () => void listeners.delete(heard)
    },
  }
}
