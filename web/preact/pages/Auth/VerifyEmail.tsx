import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { mailSent } from '#words/auth/mail-sent'
import { verify } from '#words/auth/recover'
import { LogOut } from '../../ui/bar/log-out.tsx'
import { MailSent } from '../../ui/auth/mail-sent.tsx'

export function VerifyEmail({ sent, errors }: PageProps<'Auth/VerifyEmail'>) {
  return (
    <>
      <div class="card" data-listen="verified">
        <MailSent
          sent={sent}
          lead={verify.lead}
          action={paths['verification.send']}
          submit={buttons.resend}
          errors={errors}
        >
          <a href={paths['profile.edit']}>{mailSent.change}</a>
        </MailSent>
      </div>
      <div class="other">
        <LogOut />
      </div>
    </>
  )
}
