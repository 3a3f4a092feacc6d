import type { ComponentChildren } from 'preact'
import type { FormMethod } from '../../contract/view/hidden-fields.ts'
import { HiddenFields } from './hidden-fields.tsx'

interface FormProps {
  /** None where it is the page's own: the part after `#` then goes with it, to the page that waits behind a login. */
  readonly action?: string
  /** What HTML has no form for; sent as a POST that says so. */
  readonly method?: FormMethod
  /** The button that sends it. */
  readonly submit: ComponentChildren
  readonly kind?: 'primary' | 'plain'
  /** The ID of what tells the button from its like. */
  readonly describedBy?: string
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
      <HiddenFields method={method} />
      {children}
      <button class={`button ${kind}`} type="submit" aria-describedby={form.describedBy}>
        {submit}
      </button>
      {form.other}
    </form>
  )
}
