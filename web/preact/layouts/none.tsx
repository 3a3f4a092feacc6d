import type { LayoutProps } from '../view.tsx'

/** For the landing page, which has a design of its own. */
export function NoLayout({ children }: LayoutProps) {
  return <div class="home">{children}</div>
}
