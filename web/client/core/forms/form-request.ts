/** The request that a form makes. */
export interface FormRequest {
  readonly method: string
  readonly action: URL
  readonly multipart: boolean
  readonly fields: FormData
}

/** Reads the request of a submitted form; undefined if the browser must send it itself. */
export function readForm(
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): FormRequest | undefined {
  // Attributes rather than properties: a field named `action` hides the form's own.
  const attribute = (name: string) =>
    submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? ''
  const method = attribute('method').toLowerCase() || 'get'
  const action = new URL(attribute('action') || location.href, location.href)
  if (attribute('target') || form.hasAttribute('data-native')) return undefined
  if (method === 'dialog' || action.origin !== location.origin) return undefined
  const fields = new FormData(form, submitter)
  return { method, action, multipart: attribute('enctype') === 'multipart/form-data', fields }
}
