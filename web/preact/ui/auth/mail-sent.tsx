import type { ComponentChildren } from 'preact'
import type { MailSent as Sent } from '../../../contract/pages.ts'
import { envelope } from '../../../contract/view/mail-icon.ts'
import { mailSent as words } from '#words/mail-sent'
import { HiddenFields } from '../hidden-fields.tsx'

interface MailSentProps {
  readonly sent: Sent
  /** What the mail is for; followed by its recipient. */
  readonly lead: string
  /** The action of the form that sends the mail again; `again`: label of its button. */
  readonly action: string
  readonly again?: string
  readonly errors: Readonly<Record<string, string>>
  /** The link to use another address. */
  readonly children: ComponentChildren
}

/** Replaces a form that sent a mail: which mail, where to, and what to do if it does not arrive. */
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

/** The subject and the sender, by which people find the mail. */
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

/**
 * The button that sends the mail again. The client counts down on it and blocks it meanwhile; without the
 * client nothing would update its label.
 */
function Again({
  sent: { fields, seconds, until },
  action,
  again = words.again,
}: Pick<MailSentProps, 'sent' | 'action' | 'again'>) {
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
        >
          <span class="with-script">{words.againIn(seconds)}</span>
          <span class="without-script">{again}</span>
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
