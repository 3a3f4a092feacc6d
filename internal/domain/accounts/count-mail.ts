import { throttleAddress } from '../../base/network/address.ts'
import { emailKey } from '../../base/email.ts'
import { takeRate } from '../../services/throttle.ts'
import type { App } from '../../app.ts'

/** The mails that a guest may ask for, and the throttle that counts them by address. */
const throttles = {
  reset: 'reset-asks',
  register: 'registration-asks',
} as const

/**
 * Counts a guest's request for a mail, by the guest's address and by the email it goes to, whether or not an
 * account has that email. Returns whether to send the mail, and when the next request is allowed.
 */
export async function countMail(
  app: App,
  kind: keyof typeof throttles,
  { email, address }: { email: string; address: string },
): Promise<{ isAllowed: boolean; next: Date }> {
  const requests = await takeRate(app, throttles[kind], throttleAddress(address))
  if (requests.wait !== undefined) return { isAllowed: false, next: requests.next }
  // Only now: whoever asks too often must not use up the count of an email, which then gets no mail.
  const mails = await takeRate(app, 'mails', `${kind}|${emailKey(email)}`)
  const next = requests.next > mails.next ? requests.next : mails.next
  return { isAllowed: mails.wait === undefined, next }
}
