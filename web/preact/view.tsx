import { Component, type ComponentChildren, type ComponentType } from 'preact'
import type { GroupName, Groups } from '../contract/groups.ts'
import type { Page, PageComponentProps, PageName } from '../contract/pages.ts'
import type { Titles } from '../contract/titles/title-of.ts'
import { FlashNotice } from './ui/flash-notice.tsx'
import type { ViewContext } from './ui/hidden-fields.tsx'

export interface LayoutProps {
  readonly page: Page
  readonly children: ComponentChildren
}

/** The pages of a group, and their layout. */
export interface Group<Name extends GroupName> {
  readonly layout: ComponentType<LayoutProps>
  /** A second layout, inside the first and around the page. */
  readonly inside?: ComponentType<LayoutProps>
  readonly pages: { readonly [Page in Groups[Name]]: ComponentType<PageComponentProps<Page>> }
  readonly titles: Titles<Name>
}

/** Any of the groups. A page may be absent because it is in another group. */
export type AnyGroup = Pick<Group<GroupName>, 'layout' | 'inside'> & {
  readonly [Part in 'pages' | 'titles']: Partial<Group<GroupName>[Part]>
}

interface ViewProps {
  readonly page: Page
  readonly group: AnyGroup
}

/** A page in its layout. Keyed by component only, so that redrawing a page keeps typed text. */
export class View extends Component<ViewProps> {
  // Not createContext: with a provider, pages took twice as long to draw, and 10,000 of them 35 MB more.
  override getChildContext(): ViewContext {
    return { viewer: this.props.page.props.auth.user?.id }
  }

  override render({ page, group }: ViewProps) {
    const { layout: Layout, inside: InnerLayout } = group
    // A page has the props of its component, which TypeScript cannot express here.
    const PageComponent = group.pages[page.component] as ComponentType<PageComponentProps<PageName>>
    const content = <PageComponent key={page.component} {...page.props} flash={page.flash} />
    return (
      <Layout page={page}>
        <FlashNotice flash={page.flash} />
        {InnerLayout ? <InnerLayout page={page}>{content}</InnerLayout> : content}
      </Layout>
    )
  }
}
