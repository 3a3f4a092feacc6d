import type { Groups } from '../groups.ts'
import type { Page, PageName, PageProps } from '../pages.ts'

/** What each page of a group is called; that of an error depends on its status. */
export type Titles<Group extends keyof Groups> = {
  readonly [Name in Groups[Group]]: string | ((props: PageProps<Name>) => string)
}

/** The title of a page; `titles` must have one for its component. */
export function titleOf(titles: Partial<Titles<keyof Groups>>, { component, props }: Page): string {
  // A page object carries its own component's props; TypeScript cannot tie the two together here.
  const title = titles[component] as string | ((props: PageProps<PageName>) => string)
  return typeof title === 'string' ? title : title(props)
}
