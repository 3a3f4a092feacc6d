interface Addressed {
  readonly email?: unknown
  readonly to?: { readonly address?: unknown }
}

/** The address that a job mails to, by its payload; null for a job that mails nothing. */
export function mailedTo(payload: string): string | null {
  // A kind of job of another version may have something else there.
  const { email, to } = (JSON.parse(payload) ?? {}) as Addressed
  const address = email ?? to?.address
  return typeof address === 'string' ? address : null
}
