import type { PageProps } from '../../contract/pages.ts'
import { errorIcon } from '../../contract/view/error-icons.ts'
import { errorLink } from '../../contract/view/error-link.ts'
import { errorReference, errorTitle } from '#words/error'
import { Icon } from '../ui/icon.tsx'

/** Looks like an empty list: an icon, what went wrong, and a single link onward. */
export function ErrorPage({ auth, status, message, again, ...help }: PageProps<'Error'>) {
  const { reference, detail } = help
  const link = errorLink({ auth, again })
  return (
    <div class="error-page">
      <p class="status">
        <Icon path={errorIcon(status)} size={40} />
        {status || undefined}
      </p>
      <h1>{errorTitle(status)}</h1>
      <p class="lead">{message}</p>
      <p class="ways">
        <a class="button primary" href={link.href}>
          {link.text}
        </a>
      </p>
      {reference && (
        <p class="hint reference">
          {errorReference} <code>{reference}</code>
        </p>
      )}
      {detail && (
        // Scrollable, so it must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre class="detail" tabIndex={0}>
          {detail}
        </pre>
      )}
    </div>
  )
}
