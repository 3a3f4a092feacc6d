import type { Component } from 'vue'
import type { GroupName, Groups } from '../contract/groups.ts'
import type { Flash, Page, SharedProps, UserProps } from '../contract/pages.ts'
import type { Titles } from '../contract/titles/title-of.ts'

/** What every page component takes beside its own props. */
export interface Shared extends SharedProps {
  readonly flash: Flash
}

/** The same of a page that nobody but a user comes to. */
export interface UserShared extends UserProps {
  readonly flash: Flash
}

/** Takes the page, and what stands in it as its slot. */
type Layout = Component<{ readonly page: Page }>

/** A layout with the pages of a group, which stand in it. */
export interface Group<Name extends GroupName> {
  readonly layout: Layout
  /** What stands inside the layout, around the page. */
  readonly inside?: Layout
  readonly pages: { readonly [Page in Groups[Name]]: Component }
  readonly titles: Titles<Name>
}

/** One of them, whichever: it lacks the pages of the others. */
export type AnyGroup = Pick<Group<GroupName>, 'layout' | 'inside'> & {
  readonly [Part in 'pages' | 'titles']: Partial<Group<GroupName>[Part]>
}
