import type { Component } from 'vue'
import type { GroupName, Groups } from '../contract/groups.ts'
import type { Flash, Page, SharedProps, UserProps } from '../contract/pages.ts'
import type { Titles } from '../contract/titles/title-of.ts'

/** The props of every page component besides its own. */
export interface SharedComponentProps extends SharedProps {
  readonly flash: Flash
}

/** The props of every component of a users' page besides its own. */
export interface UserComponentProps extends UserProps {
  readonly flash: Flash
}

/** Takes the page object as a prop, and its content as the slot. */
type Layout = Component<{ readonly page: Page }>

/** The pages of a group, and their layout. */
export interface Group<Name extends GroupName> {
  readonly layout: Layout
  /** A second layout, inside the first and around the page. */
  readonly inside?: Layout
  readonly pages: { readonly [Page in Groups[Name]]: Component }
  readonly titles: Titles<Name>
}

/** Any of the groups. A page may be absent because it is in another group. */
export type AnyGroup = Pick<Group<GroupName>, 'layout' | 'inside'> & {
  readonly [Part in 'pages' | 'titles']: Partial<Group<GroupName>[Part]>
}
