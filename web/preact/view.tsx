import type { ComponentChildren, ComponentType } from 'preact'
import type { Page, PageName, PageProps } from '../contract/pages.ts'
import { FlashNotice } from './ui/flash.tsx'

export interface LayoutProps {
  readonly page: Page
  readonly children: ComponentChildren
}

/** A layout with the pages that stand in it. */
export interface Group {
  readonly layout: ComponentType<LayoutProps>
  readonly pages: { readonly [Name in PageName]?: ComponentType<PageProps<Name>> }
}

/** A page in its layout. Keyed by component alone, so that a page shown again keeps what is typed. */
export function View({ page, group }: { page: Page; group: Group }) {
  const Layout = group.layout
  // A page object carries its own component's props; TypeScript cannot tie the two together here.
  const Component = group.pages[page.component] as ComponentType<PageProps<PageName>>
  return (
    <Layout page={page}>
      <FlashNotice flash={page.flash} />
      <Component key={page.component} {...page.props} />
    </Layout>
  )
}
