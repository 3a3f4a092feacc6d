import { throttleAddress } from '../../base/address.ts'
import { emailKey } from '../../base/email.ts'
import { takeRate } from '../../services/throttle.ts'
import type { App } from '../../app.ts'

/** The mails that a guest may ask for, and the throttle that counts who asks. */
const counted = {
  reset: 'reset-asks',
  register: 'registration-asks',
} as const

/**
 * Counts an ask of a guest for a mail, by the address that asks and by the email it goes to, whether or not an account
 * has it. Tells whether the mail goes, and when the next ask is let in.
 */
export async function countMail(
  app: App,
  kind: keyof typeof counted,
  { email, address }: { email: string; address: string },
): Promise<{ goes: boolean; next: Date }> {
  const asks = await takeRate(app, counted[kind], throttleAddress(address))
  if (asks.wait !== undefined) return { goes: false, next: asks.next }
  // Only now: whoever asks too often must not use up the turns of emails that are then mailed nothing.
  const mails = await takeRate(app, 'mails', `${kind}|${emailKey(email)}`)
  const next = asks.next > mails.next ? asks.next : mails.next
  return { goes: mails.wait === undefined, next }
}
