import type { Component, Snippet } from 'svelte'
import type { GroupName, Groups } from '../contract/groups.ts'
import type { Page, PageComponentProps } from '../contract/pages.ts'
import type { Titles } from '../contract/titles/title-of.ts'

export interface LayoutProps {
  readonly page: Page
  readonly children: Snippet
}

/** The pages of a group, and their layout. */
export interface Group<Name extends GroupName> {
  readonly layout: Component<LayoutProps>
  /** A second layout, inside the first and around the page. */
  readonly inside?: Component<LayoutProps>
  readonly pages: { readonly [Page in Groups[Name]]: Component<PageComponentProps<Page>> }
  readonly titles: Titles<Name>
}

/** Any of the groups. A page may be absent because it is in another group. */
export type AnyGroup = Pick<Group<GroupName>, 'layout' | 'inside'> & {
  readonly [Part in 'pages' | 'titles']: Partial<Group<GroupName>[Part]>
}
