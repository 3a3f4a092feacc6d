import type { ComponentChildren, ComponentType } from 'preact'
import type { GroupName, Groups } from '../contract/groups.ts'
import type { Drawn, Page, PageName } from '../contract/pages.ts'
import type { Titles } from '../contract/titles/title-of.ts'
import { FlashNotice } from './ui/flash-notice.tsx'
import { Viewer } from './ui/hidden-fields.tsx'

export interface LayoutProps {
  readonly page: Page
  readonly children: ComponentChildren
}

/** A layout with the pages of a group, which stand in it. */
export interface Group<Name extends GroupName> {
  readonly layout: ComponentType<LayoutProps>
  /** What stands inside the layout, around the page. */
  readonly inside?: ComponentType<LayoutProps>
  readonly pages: { readonly [Page in Groups[Name]]: ComponentType<Drawn<Page>> }
  readonly titles: Titles<Name>
}

/** One of them, whichever: it lacks the pages of the others. */
export type AnyGroup = Pick<Group<GroupName>, 'layout' | 'inside'> & {
  readonly [Part in 'pages' | 'titles']: Partial<Group<GroupName>[Part]>
}

/** A page in its layout. Keyed by component alone, so that a page shown again keeps what is typed. */
export function View({ page, group }: { page: Page; group: AnyGroup }) {
  const { layout: Layout, inside: Inside } = group
  // A page object carries its own component's props; TypeScript cannot tie the two together here.
  const Component = group.pages[page.component] as ComponentType<Drawn<PageName>>
  const drawn = <Component key={page.component} {...page.props} flash={page.flash} />
  return (
    <Viewer.Provider value={page.props.auth.user?.id}>
      <Layout page={page}>
        <FlashNotice flash={page.flash} />
        {Inside ? <Inside page={page}>{drawn}</Inside> : drawn}
      </Layout>
    </Viewer.Provider>
  )
}
