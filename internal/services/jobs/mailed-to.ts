interface Addressed {
  readonly email?: unknown
  readonly to?: { readonly address?: unknown }
}

/** Returns the address that a job mails to, from its payload; null if it mails nothing. */
export function mailedTo(payload: string): string | null {
  // A kind of job from another version may have something else there.
  const { email, to } = (JSON.parse(payload) ?? {}) as Addressed
  const address = email ?? to?.address
  return typeof address === 'string' ? address : null
}
