import type { ComponentChildren } from 'preact'
import type { FormMethod } from '../../contract/view/hidden-fields.ts'
import { HiddenFields } from './hidden-fields.tsx'

interface FormProps {
  /** Absent for the page's own address: the browser then keeps the part after `#`, up to the page behind a login. */
  readonly action?: string
  /** A method that an HTML form cannot have; sent as a POST with a field that names it. */
  readonly method?: FormMethod
  /** The content of the button that sends the form. */
  readonly submit: ComponentChildren
  readonly variant?: 'primary' | 'plain'
  /** The ID of an element that tells the button from others with the same text. */
  readonly describedBy?: string
  /** Whether the server checks each field as it is left. */
  readonly validate?: boolean
  readonly children?: ComponentChildren
  /** Stands below the button: another way to send the form. */
  readonly other?: ComponentChildren
}

/** A form with one button. Errors come from the server, in its words: the browser's own validation is off. */
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
