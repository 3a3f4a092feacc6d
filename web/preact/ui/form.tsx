import type { ComponentChildren } from 'preact'

interface FormProps {
  readonly action: string
  /** The button that sends it. */
  readonly submit: string
  /** Whether a field is checked on the server as it is left. */
  readonly validate?: boolean
  readonly children?: ComponentChildren
}

/** A form with one button. The errors are the server's, in its words, so the browser's own bubbles are off. */
export function Form({ action, submit, validate, children }: FormProps) {
  return (
    <form class="form" method="post" action={action} noValidate data-validate={validate && ''}>
      {children}
      <button class="button primary" type="submit">
        {submit}
      </button>
    </form>
  )
}
