import type { Flash, PageName, Pages, SharedProps } from '../pages.ts'

/** Pages in some of their states, by component and by what the state is. */
export type Examples = {
  readonly [Name in PageName]?: Readonly<Record<string, Example<Name>>>
}

/** A page's own props, and of what every page carries that which is not as usual. */
type Example<Name extends PageName> = Pages[Name] &
  Partial<SharedProps> & { readonly flash?: Flash }
