import { holds, lifetimes } from '../../base/lifetimes.ts'
import { mailSubjects, type AskedMail } from '../../domain/mails/mails.ts'
import type { MailSent, PageProps } from '../../../web/contract/pages.ts'
import type { Context } from '../context.ts'

type FormText = Readonly<Record<string, string>>

/** Makes the page of a guest's form say, for a while, that the requested mail is on its way. */
export function rememberMail(
  c: Context,
  mail: AskedMail,
  { fields, next }: { fields: FormText; next: Date },
): void {
  const mailAsked = { mail, fields, at: c.app.now().getTime(), next: next.getTime() }
  c.session = { ...c.session, mailAsked }
}

/** Returns the props of a guest's form: the mail on its way, or with `?another` the form as it was sent. */
export function mailForm(
  c: Context,
  mail: AskedMail,
): Pick<PageProps<'Auth/Register'>, 'sent' | 'typed'> {
  const { mailAsked } = c.session
  const isForAnother = new URLSearchParams(c.search).has('another')
  const lifetime = isForAnother ? lifetimes.draft : lifetimes.mailAsked
  if (mailAsked?.mail !== mail || !holds(mailAsked.at, lifetime, c.app.now())) return {}
  const { fields, next } = mailAsked
  if (isForAnother) return { typed: fields }
  const sent = { email: fields['email'] ?? '', fields, next: new Date(next) }
  return { sent: mailSent(c, mail, sent) }
}

/** Returns what a page says of a mail on its way. `next`: when a form with these fields may ask again. */
export function mailSent(
  c: Context,
  mail: AskedMail | 'verify',
  { email, fields, next }: { email: string; fields: FormText; next: Date },
): MailSent {
  const wait = next.getTime() - c.app.now().getTime()
  return {
    email,
    fields,
    subjects: mailSubjects(mail, c.language),
    from: c.app.config.sender ?? null,
    seconds: Math.max(0, Math.ceil(wait / 1000)),
    until: next.toISOString(),
  }
}
