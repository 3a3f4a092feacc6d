import { type FormMethod, hiddenFields } from '../../contract/view/hidden-fields.ts'

/** The context that the view provides to every component in it. */
export interface ViewContext {
  /** The ID of the user whom the page is shown to; undefined for a guest. */
  readonly viewer: number | undefined
}

/** The hidden fields that every form has. */
export function HiddenFields({ method }: { method?: FormMethod }, { viewer }: ViewContext) {
  return (
    <>
      {hiddenFields(viewer, method).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
