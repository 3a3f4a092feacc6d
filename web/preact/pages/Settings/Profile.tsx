import type { PageProps, User } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { profile } from '#words/settings/profile'
import { DeleteAccount } from '../../ui/profile/delete-account.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { HiddenFields } from '../../ui/hidden-fields.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Photo } from '../../ui/profile/photo.tsx'

type Props = PageProps<'Settings/Profile'>

export function Profile({ auth, errors, old, signal }: Props) {
  return (
    <>
      <h1>{profile.heading}</h1>
      <Panel id="picture" heading={profile.photo} drop="photo">
        <Photo user={auth.user} error={errors.photo} />
      </Panel>
      <Panel id="details" heading={profile.details} signal={signal ?? undefined}>
        <ProfileForm user={auth.user} errors={errors} old={old} />
      </Panel>
      <Panel id="danger" heading={profile.danger} lead={profile.dangerText} variant="danger">
        <DeleteAccount user={auth.user} errors={errors} />
      </Panel>
    </>
  )
}

function ProfileForm({ user, errors, old }: { user: User } & Pick<Props, 'errors' | 'old'>) {
  const { name, email, emailVerifiedAt } = user
  const fields = { errors, old: { name, email, ...old } }
  return (
    <>
      <Form action={paths['profile.update']} method="PATCH" submit={buttons.save} validate>
        <Field name="name" label={labels.name} autocomplete="name" {...fields} />
        <div class="email">
          <Field
            name="email"
            type="email"
            label={labels.email}
            autocomplete="email"
            hint={profile.newEmail}
            {...fields}
          />
          <EmailState email={email} isVerified={emailVerifiedAt !== null} />
        </div>
      </Form>
      <form id={resend} method="post" action={paths['verification.send']}>
        <HiddenFields />
      </form>
    </>
  )
}

/** The ID of a form that is submitted by a button inside another form. */
const resend = 'resend'

/** Whether the email is verified; if not, with a button that mails another link. */
function EmailState({ email, isVerified }: { email: string; isVerified: boolean }) {
  return (
    <div class="state" data-listen={isVerified ? undefined : 'verified'}>
      <p class="badge sign" data-kind={isVerified ? 'success' : 'error'}>
        {isVerified ? profile.verified(email) : profile.notVerified(email)}
      </p>
      {!isVerified && (
        <button class="button" type="submit" form={resend} formNoValidate>
          {buttons.resend}
        </button>
      )}
    </div>
  )
}
