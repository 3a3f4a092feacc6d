import type { ComponentChildren } from 'preact'
import type { MailSent as Sent } from '../../contract/pages.ts'
import { envelope } from '../../contract/view/mail-icon.ts'
import { mailSent as words } from '#words/mail-sent'
import { HiddenFields } from './hidden-fields.tsx'

interface MailSentProps {
  readonly sent: Sent
  /** What is in the mail; before the address that it goes to. */
  readonly lead: string
  /** Where it is asked for again, and what the button for that says. */
  readonly action: string
  readonly again?: string
  readonly errors: Readonly<Record<string, string>>
  /** The way to another address. */
  readonly children: ComponentChildren
}

/** A mail that is on its way, in place of the form that asked for it: which one, where to, and what to do without it. */
export function MailSent({ sent, lead, errors, children, ...form }: MailSentProps) {
  return (
    <div class="sent" data-sent="">
      <svg class="icon envelope" viewBox="0 0 20 20" aria-hidden="true">
        <path d={envelope} />
      </svg>
      <h1>{words.heading}</h1>
      <p class="lead">
        {lead}{' '}
        <strong>
          <bdi>{sent.email}</bdi>
        </strong>
      </p>
      <Facts sent={sent} />
      <p class="hint">{words.hint}</p>
      <div class="error" role="alert">
        {errors.email && <p class="sign">{errors.email}</p>}
      </div>
      <Again sent={sent} {...form} />
      <p class="under">
        {words.wrong} {children}
      </p>
    </div>
  )
}

/** By what the mail is found among others. */
function Facts({ sent: { subjects, from } }: Pick<MailSentProps, 'sent'>) {
  const [subject = '', other] = subjects
  return (
    <dl class="facts">
      <div>
        <dt>{words.subject}</dt>
        <dd>{other === undefined ? subject : words.subjects(subject, other)}</dd>
      </div>
      {from && (
        <div>
          <dt>{words.from}</dt>
          <dd>
            <bdi>{from.name}</bdi> <bdi class="address">{from.address}</bdi>
          </dd>
        </div>
      )}
    </dl>
  )
}

/** The button that has it sent again; the client counts down on it, and presses it no earlier. */
function Again({
  sent: { fields, seconds, until },
  action,
  again = words.again,
}: Pick<MailSentProps, 'sent' | 'action' | 'again'>) {
  const wait = words.againIn(seconds)
  return (
    <form class="form" method="post" action={action}>
      <HiddenFields />
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {seconds > 0 ? (
        <button
          class="button"
          type="submit"
          data-wait={until}
          data-seconds={seconds}
          data-idle={again}
          aria-label={wait}
        >
          {wait}
        </button>
      ) : (
        <button class="button" type="submit">
          {again}
        </button>
      )}
      <p class="visually-hidden" aria-live="polite" data-told="" />
    </form>
  )
}
