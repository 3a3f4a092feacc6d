import { paths } from '../../contract/paths.ts'
import { Brand } from '../ui/brand.tsx'
import type { LayoutProps } from '../view.tsx'

/** A single centred card, for what people do before they are logged in. */
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
