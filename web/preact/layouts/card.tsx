import { Brand } from '../ui/ways.tsx'
import type { LayoutProps } from '../view.tsx'

/** One card in the middle of the page: what happens before one is inside. */
export function CardLayout({ children }: LayoutProps) {
  return (
    <div class="card-layout">
      <header>
        <Brand to="home" />
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
