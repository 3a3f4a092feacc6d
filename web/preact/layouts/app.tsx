import type { PageName, User } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { chevron } from '../../contract/view/bar-icons.ts'
import { productPages } from '../../contract/view/product-pages.ts'
import { layout } from '#words/layout'
import { product } from '#words/product'
import { Avatar } from '../ui/avatar.tsx'
import { Bell } from '../ui/bar/bell.tsx'
import { Brand } from '../ui/brand.tsx'
import { Icon } from '../ui/icon.tsx'
import { LogOut } from '../ui/bar/log-out.tsx'
import { LoginLinks } from '../ui/login-links.tsx'
import type { LayoutProps } from '../view.tsx'

/** A header with bell and account menu above the page; for guests, on error pages, with login links. */
export function AppLayout({ page, children }: LayoutProps) {
  const { auth, bell } = page.props
  return (
    <>
      <a class="skip" href="#main">
        {layout.skip}
      </a>
      <header class="bar">
        <Brand to={auth.user ? paths.dashboard : paths.home} />
        {auth.user ? (
          <>
            <ProductPages current={page.component} />
            <div class="bar-end">
              <Bell unread={bell.unread} isCurrent={page.component === 'Notifications'} />
              <AccountMenu user={auth.user} />
            </div>
          </>
        ) : (
          <LoginLinks user={null} />
        )}
      </header>
      <main id="main" class="content" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

/** The links to the product's pages; on a narrow screen in their own row at the end of the header. */
function ProductPages({ current }: { current: PageName }) {
  return (
    <nav class="product-pages" aria-label={product.pages}>
      <ul>
        {productPages.map(({ component, href, name }) => (
          <li key={component}>
            <a
              class="product-way"
              href={href}
              aria-current={component === current ? 'page' : undefined}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function AccountMenu({ user }: { user: User }) {
  return (
    <details class="menu" data-menu="">
      <summary>
        <Avatar user={user} />
        <span class="visually-hidden">{layout.account}</span>
        <span class="menu-name" dir="auto">
          {user.name}
        </span>
        <Icon path={chevron} class="chevron" />
      </summary>
      <div class="menu-panel">
        <p class="menu-who">
          <strong class="clamp" dir="auto">
            {user.name}
          </strong>
          <span class="clamp">{user.email}</span>
        </p>
        <p class="menu-ways">
          <a href={paths['profile.edit']}>{layout.settings}</a>
          <a href={paths['notifications.index']}>{layout.notifications}</a>
        </p>
        <LogOut />
      </div>
    </details>
  )
}
