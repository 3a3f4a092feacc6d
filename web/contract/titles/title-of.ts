import type { Groups } from '../groups.ts'
import type { Page, PageName, PageProps } from '../pages.ts'

/** The title of each page of a group; that of an error depends on its status. */
export type Titles<Group extends keyof Groups> = {
  readonly [Name in Groups[Group]]: string | ((props: PageProps<Name>) => string)
}

/** Returns the title of a page; `titles` must have one for its component. */
export function titleOf(titles: Partial<Titles<keyof Groups>>, { component, props }: Page): string {
  // A page has the props of its component, which TypeScript cannot express here.
  const title = titles[component] as string | ((props: PageProps<PageName>) => string)
  return typeof title === 'string' ? title : title(props)
}
