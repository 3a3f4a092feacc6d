import { createContext } from 'preact'
import { type FormMethod, hiddenFields } from '../../contract/view/hidden-fields.ts'

/** The ID of the user whom the page is shown to; undefined of a guest. */
export const Viewer = createContext<number | undefined>(undefined)

/** What every form says beside what is typed. */
export function HiddenFields({ method }: { method?: FormMethod | undefined }) {
  return (
    <Viewer.Consumer>
      {(viewer) =>
        hiddenFields(viewer, method).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))
      }
    </Viewer.Consumer>
  )
}
