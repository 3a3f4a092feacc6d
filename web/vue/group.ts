import type { Component } from 'vue'
import type { GroupName, Groups } from '../contract/groups.ts'
import type { Flash, Page, SharedProps, UserProps } from '../contract/pages.ts'
import type { Titles } from '../contract/titles/title-of.ts'

/** What every page component takes beside its own props. */
export interface Shared extends SharedProps {
  readonly flash: Flash
}

/** What every component of a page takes that only users see, beside its own props. */
export interface UserShared extends UserProps {
  readonly flash: Flash
}

/** Takes the page object as a prop, and what stands in the layout as its slot. */
type Layout = Component<{ readonly page: Page }>

/** The pages of a group, and the layout that they stand in. */
export interface Group<Name extends GroupName> {
  readonly layout: Layout
  /** A second layout, inside the first and around the page. */
  readonly inside?: Layout
  readonly pages: { readonly [Page in Groups[Name]]: Component }
  readonly titles: Titles<Name>
}

/** Any of the groups: a page may be absent, since it is in another group. */
export type AnyGroup = Pick<Group<GroupName>, 'layout' | 'inside'> & {
  readonly [Part in 'pages' | 'titles']: Partial<Group<GroupName>[Part]>
}
