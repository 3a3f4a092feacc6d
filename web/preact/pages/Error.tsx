import type { PageProps } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { buttons } from '#words/buttons'
import { errorReference, errorTitle } from '#words/error'

export function ErrorPage({ auth, status, message, reference, detail }: PageProps<'Error'>) {
  return (
    <div class="error-page">
      <p class="status">{status}</p>
      <h1>{errorTitle(status)}</h1>
      <p class="lead">{message}</p>
      <p class="ways">
        <a class="button primary" href={auth.user ? paths.dashboard : paths.home}>
          {auth.user ? buttons.dashboard : buttons.home}
        </a>
      </p>
      {reference && (
        <p class="hint reference">
          {errorReference} <code>{reference}</code>
        </p>
      )}
      {detail && (
        // It scrolls, so the keyboard has to reach it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre class="detail" tabIndex={0}>
          {detail}
        </pre>
      )}
    </div>
  )
}
