import type { PageProps } from '../../../contract/pages.ts'
import { verify } from '../../../contract/words/auth.ts'
import { LogOut } from '../../ui/ways.tsx'

export function VerifyEmail({ email }: PageProps<'Auth/VerifyEmail'>) {
  return (
    <div class="card">
      <h1>{verify.heading}</h1>
      <p class="lead">
        {verify.lead} <strong>{email}</strong>
      </p>
      <p class="hint">{verify.hint}</p>
      <LogOut />
    </div>
  )
}
