import { secretField } from '../../contract/secret-fields.ts'

/** What a form holds that the server did not draw: texts by field, and what was ticked or chosen by field and value. */
export type Draft = Readonly<Record<string, string | boolean>>

type Field = HTMLInputElement | HTMLTextAreaElement

/** A form by the page that it is on and what it does; each row of a list has its own. */
export function formKey(component: string, form: HTMLFormElement): string {
  const method = form.querySelector<HTMLInputElement>('[name="_method"]')?.value
  return [component, method, form.getAttribute('action')].join(' ')
}

/**
 * What differs in a form from what the server drew, without passwords, codes and files; and what differed `before`, if
 * it does so no more.
 */
export function readDraft(form: HTMLFormElement, before: Draft = {}): Draft {
  const draft: Record<string, string | boolean> = {}
  for (const field of keptFields(form)) {
    const key = fieldKey(field)
    const [now, drawn] = isTick(field)
      ? [field.checked, field.defaultChecked]
      : [field.value, field.defaultValue]
    if (now !== drawn || key in before) draft[key] = now
  }
  return draft
}

/** Returns what sets the caret to where it is now in a form; the fields may be filled in anew until then. */
export function caretIn(form: HTMLFormElement): () => void {
  const field = document.activeElement
  const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
  if (!isText || field.form !== form) return () => {}
  const { selectionStart, selectionEnd } = field
  return () => {
    // A field for an email says nothing of it.
    if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
  }
}

/** Fills a draft into a form, but nothing into a field in which a hand was quicker. */
export function fillIn(form: HTMLFormElement, draft: Draft): void {
  for (const field of keptFields(form)) {
    const kept = draft[fieldKey(field)]
    if (isTick(field)) {
      if (typeof kept === 'boolean') field.checked = kept
    } else if (typeof kept === 'string' && field.value === field.defaultValue) field.value = kept
  }
}

/** Whether something is typed or chosen in a form of which no draft is read. */
export function hasUnkept(form: HTMLFormElement): boolean {
  const fields = [...form.elements].filter((element) => isField(element))
  return fields.some((field) => !isKept(field) && field.value !== field.defaultValue)
}

/** The field that says who somebody is, on a page where they are to say it. */
export function userField(form: HTMLFormElement): Field | undefined {
  return keptFields(form).find(({ autocomplete }) => /^username\b/.test(autocomplete))
}

function keptFields(form: HTMLFormElement): Field[] {
  return [...form.elements].filter((element) => isField(element)).filter((field) => isKept(field))
}

function isField(element: Element): element is Field {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
}

/** A password that is shown is a text to the browser: its name tells. */
function isKept({ name, type, readOnly, autocomplete }: Field): boolean {
  if (!name || readOnly || secretField.test(name)) return false
  return !/^(?:password|file|hidden)$/.test(type) && !/password|one-time/.test(autocomplete)
}

function isTick(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox' || field.type === 'radio'
}

function fieldKey(field: Field): string {
  return isTick(field) ? `${field.name}=${field.value}` : field.name
}
