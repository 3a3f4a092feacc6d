import { secretField } from '../../contract/secret-fields.ts'

/** What a form holds that the server did not draw: text by field name, selected states by name and value. */
export type Draft = Readonly<Record<string, string | boolean>>

type TextField = HTMLInputElement | HTMLTextAreaElement

type Field = TextField | HTMLSelectElement

/** A unit of a form that changes by itself: a field, or each option of a select. */
type Part = TextField | HTMLOptionElement

/** Returns a key from page, method and action: the forms in the rows of a list have different keys. */
export function formKey(component: string, form: HTMLFormElement): string {
  const method = form.querySelector<HTMLInputElement>('[name="_method"]')?.value
  return [component, method, form.getAttribute('action')].join(' ')
}

/**
 * Returns the fields that differ from what the server drew, without passwords, codes and files; also those
 * that differed in `before`, even if they no longer do.
 */
export function readDraft(form: HTMLFormElement, before: Draft = {}): Draft {
  const draft: Record<string, string | boolean> = {}
  for (const part of keptFields(form).flatMap(partsOf)) {
    const key = partKey(part)
    const [now, drawn] = states(part)
    if (now !== drawn || key in before) draft[key] = now
  }
  return draft
}

/** Returns the fields that differed from what the server drew when the form was sent with `body`. */
export function readSent(form: HTMLFormElement, body: FormData | URLSearchParams): Draft {
  const parts = keptFields(form).flatMap(partsOf)
  const was = (part: Part) => {
    const [first, ...others] = body.getAll(fieldOf(part)?.name ?? '')
    if (typeof states(part)[1] === 'boolean') return [first, ...others].includes(part.value)
    return typeof first === 'string' ? first : ''
  }
  const differed = parts.filter((part) => was(part) !== states(part)[1])
  return Object.fromEntries(differed.map((part) => [partKey(part), was(part)]))
}

/** Returns a function that puts the caret back to its current position after the form has been refilled. */
export function caretIn(form: HTMLFormElement): () => void {
  const field = document.activeElement
  const isText = field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement
  if (!isText || field.form !== form) return () => {}
  const { selectionStart, selectionEnd } = field
  return () => {
    // Email fields do not expose their caret.
    if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd)
  }
}

/**
 * Fills a draft into a form's unchanged fields. Returns whether any of it replaces a saved value: the server may
 * have sent back what was typed, with its error.
 */
export function fillIn(form: HTMLFormElement, draft: Draft): boolean {
  let isInPlace = false
  const parts = keptFields(form).flatMap(partsOf)
  const changed = new Set(parts.filter(isChanged).map(choiceKey))
  for (const part of parts) {
    const kept = draft[partKey(part)]
    if (changed.has(choiceKey(part))) continue
    if (part instanceof HTMLOptionElement) {
      // In a single select only the chosen option is set, if still offered: that deselects the others.
      if (kept === true || (kept === false && selectOf(part)?.multiple)) part.selected = kept
    } else if (isTick(part)) {
      if (typeof kept === 'boolean') part.checked = kept
    } else if (typeof kept === 'string') {
      part.value = kept
      isInPlace ||= part.defaultValue !== '' && part.defaultValue !== kept
    }
  }
  return isInPlace
}

/** Whether something is typed or chosen in a field that drafts exclude, such as a password or a file. */
export function hasUnkept(form: HTMLFormElement): boolean {
  const fields = [...form.elements].filter((element) => isField(element))
  return fields.some(
    (field) => !isKept(field) && !isSelect(field) && field.value !== field.defaultValue,
  )
}

/** Returns the username field of a form that asks who somebody is. */
export function userField(form: HTMLFormElement): Field | undefined {
  return keptFields(form).find(({ autocomplete }) => /^username\b/.test(autocomplete))
}

function keptFields(form: HTMLFormElement): Field[] {
  return [...form.elements].filter((element) => isField(element)).filter((field) => isKept(field))
}

function isField(element: Element): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
}

/** Whether drafts include a field. The name counts too: a shown password is of type text. */
function isKept(field: Field): boolean {
  const { name, type, autocomplete } = field
  if (!name || secretField.test(name) || (!isSelect(field) && field.readOnly)) return false
  return !/^(?:password|file|hidden)$/.test(type) && !/password|one-time/.test(autocomplete)
}

function isSelect(field: Field): field is HTMLSelectElement {
  return field instanceof HTMLSelectElement
}

function isTick(part: Part): part is HTMLInputElement {
  return part instanceof HTMLInputElement && (part.type === 'checkbox' || part.type === 'radio')
}

function partsOf(field: Field): Part[] {
  return isSelect(field) ? [...field.options] : [field]
}

/** Returns the current state of a part, and the one that the server drew. */
function states(part: Part): readonly [string | boolean, string | boolean] {
  if (part instanceof HTMLOptionElement) return [part.selected, isDrawnChosen(part)]
  return isTick(part) ? [part.checked, part.defaultChecked] : [part.value, part.defaultValue]
}

function isChanged(part: Part): boolean {
  const [now, drawn] = states(part)
  return now !== drawn
}

/**
 * Whether an option was drawn as selected: without a marked one, a dropdown selects its first enabled option.
 */
function isDrawnChosen(option: HTMLOptionElement): boolean {
  const select = selectOf(option)
  if (!select || select.multiple) return option.defaultSelected
  const options = [...select.options]
  const chosen = options.find(({ defaultSelected }) => defaultSelected)
  return option === (chosen ?? (select.size > 1 ? undefined : options.find(isOffered)))
}

function isOffered(option: HTMLOptionElement): boolean {
  return !option.matches(':disabled')
}

function selectOf(option: HTMLOptionElement): HTMLSelectElement | null {
  return option.closest('select')
}

function partKey(part: Part): string {
  if (part instanceof HTMLOptionElement) return `${selectOf(part)?.name}=${part.value}`
  return isTick(part) ? `${part.name}=${part.value}` : part.name
}

function fieldOf(part: Part): Field | null {
  return part instanceof HTMLOptionElement ? selectOf(part) : part
}

/** Returns a key shared by the radios of a group or the options of a single select; else the part's own. */
function choiceKey(part: Part): string {
  const field = fieldOf(part)
  const isOneOfAll = field?.type === 'radio' || field?.type === 'select-one'
  return isOneOfAll ? field.name : partKey(part)
}
