import type { ComponentChildren } from 'preact'
import type { FormMethod } from '../../contract/view/hidden-fields.ts'
import { HiddenFields } from './hidden-fields.tsx'

interface FormProps {
  /** Absent for the page's own address: the browser then keeps the fragment (`#…`), even past a login. */
  readonly action?: string
  /** A method that HTML forms lack; sent as a POST with a field that names it. */
  readonly method?: FormMethod
  /** The content of the button that sends the form. */
  readonly submit: ComponentChildren
  readonly variant?: 'primary' | 'plain'
  /** The ID of an element that distinguishes the button from others with the same text. */
  readonly describedBy?: string
  /** Whether the server validates each field on blur. */
  readonly validate?: boolean
  readonly children?: ComponentChildren
  /** Another way to submit the form, below the button. */
  readonly other?: ComponentChildren
}

/** A form with one button. The browser's validation is off: errors come from the server, in its words. */
export function Form(form: FormProps) {
  const { action, method, submit, variant = 'primary', validate, children } = form
  return (
    <form class="form" method="post" action={action} noValidate data-validate={validate && ''}>
      <HiddenFields method={method} />
      {children}
      <button class={`button ${variant}`} type="submit" aria-describedby={form.describedBy}>
        {submit}
      </button>
      {form.other}
    </form>
  )
}
