import type { PageProps } from '../../../contract/pages.ts'
import { paths } from '../../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { labels } from '#words/labels'
import { challenge } from '#words/auth/challenge'
import { CodeField } from '../../ui/code-field.tsx'
import { Field } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'

/** Two forms, one shown at a time: opening the details of the second one hides the first. */
export function TwoFactorChallenge({ errors }: PageProps<'Auth/TwoFactorChallenge'>) {
  return (
    <>
      <div class="card">
        <h1>{challenge.heading}</h1>
        <p class="lead">{challenge.lead}</p>
        <Form submit={buttons.logIn}>
          <CodeField
            hint={challenge.codeHint}
            autoSubmitHint={challenge.codeSent}
            errors={errors}
            autofocus={!errors.recovery_code}
          />
        </Form>
        <details class="instead" data-fields="" open={errors.recovery_code !== undefined}>
          <summary>
            <span>{challenge.recovery}</span>
            <span>{challenge.app}</span>
          </summary>
          <Form submit={buttons.logIn}>
            <Field
              name="recovery_code"
              label={labels.recoveryCode}
              autocomplete="off"
              hint={challenge.recoveryHint}
              errors={errors}
              input={{ autocapitalize: 'off', spellcheck: false }}
            />
          </Form>
        </details>
      </div>
      <p class="other">
        {challenge.other} <a href={paths.login}>{challenge.back}</a>
      </p>
    </>
  )
}
