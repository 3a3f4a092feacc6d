import type { ComponentChildren, ComponentType } from 'preact'
import type { Flash, Page, PageName, PageProps } from '../contract/pages.ts'
import { FlashNotice } from './ui/flash.tsx'

export interface LayoutProps {
  readonly page: Page
  readonly children: ComponentChildren
}

/** What a page is drawn from: its props, and the flash for what it shows in place. */
export type Drawn<Name extends PageName> = PageProps<Name> & { readonly flash: Flash }

/** A layout with the pages that stand in it. */
export interface Group {
  readonly layout: ComponentType<LayoutProps>
  /** What stands inside the layout, around the page. */
  readonly inside?: ComponentType<LayoutProps>
  readonly pages: { readonly [Name in PageName]?: ComponentType<Drawn<Name>> }
  readonly titles: Titles
}

/** What each page is called; that of an error depends on its status. */
type Titles = { readonly [Name in PageName]?: string | ((props: PageProps<Name>) => string) }

/** What a page of the group is called. */
export function titleIn({ titles }: Group, { component, props }: Page): string {
  const title = titles[component] as string | ((props: PageProps<PageName>) => string)
  return typeof title === 'string' ? title : title(props)
}

/** A page in its layout. Keyed by component alone, so that a page shown again keeps what is typed. */
export function View({ page, group }: { page: Page; group: Group }) {
  const { layout: Layout, inside: Inside } = group
  // A page object carries its own component's props; TypeScript cannot tie the two together here.
  const Component = group.pages[page.component] as ComponentType<Drawn<PageName>>
  const drawn = <Component key={page.component} {...page.props} flash={page.flash} />
  return (
    <Layout page={page}>
      <FlashNotice flash={page.flash} />
      {Inside ? <Inside page={page}>{drawn}</Inside> : drawn}
    </Layout>
  )
}
