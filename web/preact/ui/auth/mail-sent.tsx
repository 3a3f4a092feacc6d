import type { ComponentChildren } from 'preact'
import type { MailSent as Sent } from '../../../contract/pages.ts'
import { envelope } from '../../../contract/view/mail-icon.ts'
import { mailSent as words } from '#words/auth/mail-sent'
import { HiddenFields } from '../hidden-fields.tsx'

interface MailSentProps {
  readonly sent: Sent
  /** What the mail is for; followed by its recipient. */
  readonly lead: string
  /** The action of the form that sends the mail again; `submit`: label of its button. */
  readonly action: string
  readonly submit?: string
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
      <MailFacts sent={sent} />
      <p class="hint">{words.hint}</p>
      <div class="error" role="alert">
        {errors.email && <p class="sign">{errors.email}</p>}
      </div>
      <SendAgain sent={sent} {...form} />
      <p class="under">
        {words.wrong} {children}
      </p>
    </div>
  )
}

/** The subject and the sender, by which people find the mail. */
function MailFacts({ sent: { subjects, from } }: Pick<MailSentProps, 'sent'>) {
  const [first = '', second] = subjects
  return (
    <dl class="facts">
      <div>
        <dt>{words.subject}</dt>
        <dd>{second === undefined ? first : words.subjects(first, second)}</dd>
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
function SendAgain({
  sent: { fields, seconds, until },
  action,
  submit = words.again,
}: Pick<MailSentProps, 'sent' | 'action' | 'submit'>) {
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
          data-idle={submit}
        >
          <span class="with-script">{words.againIn(seconds)}</span>
          <span class="without-script">{submit}</span>
        </button>
      ) : (
        <button class="button" type="submit">
          {submit}
        </button>
      )}
      <p class="visually-hidden" aria-live="polite" data-told="" />
    </form>
  )
}
