import { throttleAddress } from '../../base/network/address.ts'
import { emailKey } from '../../base/email.ts'
import { takeRate } from '../../services/throttle.ts'
import type { App } from '../../app.ts'

/** The mails that a guest may ask for, and the throttle that counts the asks of an address. */
const counted = {
  reset: 'reset-asks',
  register: 'registration-asks',
} as const

/**
 * Counts a guest's ask for a mail, by the address that asks and by the email it goes to, whether or not an account has
 * that email. Returns whether the mail goes out, and when the next ask is let in.
 */
export async function countMail(
  app: App,
  kind: keyof typeof counted,
  { email, address }: { email: string; address: string },
): Promise<{ goes: boolean; next: Date }> {
  const asks = await takeRate(app, counted[kind], throttleAddress(address))
  if (asks.wait !== undefined) return { goes: false, next: asks.next }
  // Only now: whoever asks too often must not use up the count of an email that is then mailed nothing.
  const mails = await takeRate(app, 'mails', `${kind}|${emailKey(email)}`)
  const next = asks.next > mails.next ? asks.next : mails.next
  return { goes: mails.wait === undefined, next }
}
