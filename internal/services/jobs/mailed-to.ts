interface Addressed {
  readonly email?: unknown
  readonly to?: { readonly address?: unknown }
}

/** The address that a job mails to, by its payload; null of one that mails nothing. */
export function mailedTo(payload: string): string | null {
  // A kind of another version may say something else there.
  const { email, to } = (JSON.parse(payload) ?? {}) as Addressed
  const address = email ?? to?.address
  return typeof address === 'string' ? address : null
}
