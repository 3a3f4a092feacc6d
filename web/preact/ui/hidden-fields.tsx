import { type FormMethod, hiddenFields } from '../../contract/view/hidden-fields.ts'

/** What the view gives to all that stands in it, however deep. */
export interface ViewContext {
  /** The ID of the user whom the page is shown to; undefined of a guest. */
  readonly viewer: number | undefined
}

/** What every form says beside what is typed. */
export function HiddenFields({ method }: { method?: FormMethod }, { viewer }: ViewContext) {
  return (
    <>
      {hiddenFields(viewer, method).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}
