import type { ComponentChildren } from 'preact'

interface FormProps {
  /** None where it is the page's own: the part after `#` then goes with it, to the page that waits behind a login. */
  readonly action?: string
  /** What HTML has no form for; sent as a POST that says so. */
  readonly method?: 'PUT' | 'PATCH' | 'DELETE'
  /** The button that sends it. */
  readonly submit: ComponentChildren
  readonly kind?: 'primary' | 'danger' | 'plain'
  /** Whether a field is checked on the server as it is left. */
  readonly validate?: boolean
  readonly children?: ComponentChildren
  /** What stands below the button: another way to send it. */
  readonly other?: ComponentChildren
}

/** A form with one button. The errors are the server's, in its words, so the browser's own bubbles are off. */
export function Form(form: FormProps) {
  const { action, method, submit, kind = 'primary', validate, children } = form
  return (
    <form class="form" method="post" action={action} noValidate data-validate={validate && ''}>
      {method && <Method is={method} />}
      {children}
      <button class={`button ${kind}`} type="submit">
        {submit}
      </button>
      {form.other}
    </form>
  )
}

/** Which method a form that is sent as a POST stands for. */
export function Method({ is }: { is: string }) {
  return <input type="hidden" name="_method" value={is} />
}
