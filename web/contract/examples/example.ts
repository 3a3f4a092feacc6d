import type { Flash, PageName, Pages, SharedProps } from '../pages.ts'

/** Example pages by component, and by a name for the state each is in. */
export type Examples = {
  readonly [Name in PageName]?: Readonly<Record<string, Example<Name>>>
}

/** A page's own props, and the shared props that differ from the usual ones. */
type Example<Name extends PageName> = Pages[Name] &
  Partial<SharedProps> & { readonly flash?: Flash }
