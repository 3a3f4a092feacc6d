import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { verify } from '#words/recover'
import { Form } from '../../ui/form.tsx'
import { LogOut } from '../../ui/auth-links.tsx'

export function VerifyEmail({ email, errors }: PageProps<'Auth/VerifyEmail'>) {
  return (
    <div class="card" data-listen="verified">
      <h1>{verify.heading}</h1>
      <p class="lead">
        {verify.lead} <strong>{email}</strong>
      </p>
      <p class="hint">{verify.hint}</p>
      <div class="error" aria-live="polite">
        {errors.email && <p class="sign">{errors.email}</p>}
      </div>
      <Form action={paths['verification.send']} submit={buttons.resend} />
      <LogOut />
    </div>
  )
}
