import { paths } from '../../contract/paths.ts'
import { Brand } from '../ui/brand.tsx'
import type { LayoutProps } from '../view.tsx'

/** One card in the middle of the page: what happens before one is inside. */
export function CardLayout({ children }: LayoutProps) {
  return (
    <div class="card-layout">
      <header>
        <Brand to={paths.home} />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
