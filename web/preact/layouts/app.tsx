import type { User } from '../../contract/pages.ts'
import { path } from '../../contract/paths.ts'
import { layout } from '../../contract/words/layout.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Brand } from '../ui/brand.tsx'
import { LogOut, WaysIn } from '../ui/auth-links.tsx'
import type { LayoutProps } from '../view.tsx'

/** Header with bell and account menu over the page; a guest sees it on error pages, with the ways in. */
export function AppLayout({ page, children }: LayoutProps) {
  const { auth, bell } = page.props
  return (
    <>
      <a class="skip" href="#main">
        {layout.skip}
      </a>
      <header class="bar">
        <Brand to={auth.user ? path('dashboard') : path('home')} />
        {auth.user ? (
          <div class="bar-end">
            <Bell unread={bell.unread} here={page.component === 'Notifications'} />
            <AccountMenu user={auth.user} />
          </div>
        ) : (
          <WaysIn user={null} />
        )}
      </header>
      <main id="main" class="content" tabIndex={-1}>
        {children}
      </main>
    </>
  )
}

function Bell({ unread, here }: { unread: number; here: boolean }) {
  return (
    <a
      class="bell"
      href={path('notifications.index')}
      aria-current={here ? 'page' : undefined}
      data-listen="notification"
    >
      <BellIcon />
      {unread > 0 && (
        <span class="count" aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
      <span class="visually-hidden">
        {unread > 0 ? layout.unread(unread) : layout.notifications}
      </span>
    </a>
  )
}

function AccountMenu({ user }: { user: User }) {
  return (
    <details class="menu" data-menu>
      <summary>
        <Avatar user={user} />
        <span class="visually-hidden">{layout.account}</span>
        <span class="menu-name" dir="auto">
          {user.name}
        </span>
        <ChevronIcon />
      </summary>
      <div class="menu-panel">
        <p class="menu-who">
          <strong class="clamp" dir="auto">
            {user.name}
          </strong>
          <span class="clamp">{user.email}</span>
        </p>
        <p class="menu-ways">
          <a href={path('profile.edit')}>{layout.settings}</a>
          <a href={path('notifications.index')}>{layout.notifications}</a>
        </p>
        <LogOut />
      </div>
    </details>
  )
}

function BellIcon() {
  return (
    <svg class="icon" width="24" height="24" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M4.5 14h11c-1-1.2-1.5-2.2-1.5-5.5a4 4 0 0 0-8 0c0 3.3-.5 4.3-1.5 5.5ZM8.5 16.5a1.6 1.6 0 0 0 3 0" />
    </svg>
  )
}

function ChevronIcon() {
  return (
    <svg class="icon chevron" width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d="m6 8 4 4 4-4" />
    </svg>
  )
}
