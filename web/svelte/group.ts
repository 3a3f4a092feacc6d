import type { Component, Snippet } from 'svelte'
import type { GroupName, Groups } from '../contract/groups.ts'
import type { Drawn, Page } from '../contract/pages.ts'
import type { Titles } from '../contract/titles/title-of.ts'

export interface LayoutProps {
  readonly page: Page
  readonly children: Snippet
}

/** A layout with the pages of a group, which stand in it. */
export interface Group<Name extends GroupName> {
  readonly layout: Component<LayoutProps>
  /** What stands inside the layout, around the page. */
  readonly inside?: Component<LayoutProps>
  readonly pages: { readonly [Page in Groups[Name]]: Component<Drawn<Page>> }
  readonly titles: Titles<Name>
}

/** One of them, whichever: it lacks the pages of the others. */
export type AnyGroup = Pick<Group<GroupName>, 'layout' | 'inside'> & {
  readonly [Part in 'pages' | 'titles']: Partial<Group<GroupName>[Part]>
}
