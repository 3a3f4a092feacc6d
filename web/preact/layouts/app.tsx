import type { User } from '../../contract/pages.ts'
import { layout } from '../../contract/words/layout.ts'
import { Brand, LogOut, WaysIn } from '../ui/ways.tsx'
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
        <Brand to={auth.user ? 'dashboard' : 'home'} />
        {auth.user ? (
          <div class="bar-end">
            <Bell unread={bell.unread} />
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

function Bell({ unread }: { unread: number }) {
  return (
    <p class="bell">
      <BellIcon />
      {unread > 0 && (
        <span class="count" aria-hidden="true">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
      <span class="visually-hidden">{layout.unread(unread)}</span>
    </p>
  )
}

function AccountMenu({ user }: { user: User }) {
  return (
    <details class="menu" data-menu>
      <summary>
        <Avatar user={user} />
        <span class="visually-hidden">{layout.account}</span>
        <span class="menu-name">{user.name}</span>
        <ChevronIcon />
      </summary>
      <div class="menu-panel">
        <p class="menu-who">
          <strong class="clamp">{user.name}</strong>
          <span class="clamp">{user.email}</span>
        </p>
        <LogOut />
      </div>
    </details>
  )
}

function Avatar({ user }: { user: User }) {
  if (user.photo) return <img class="avatar" src={user.photo} alt="" width="32" height="32" />
  return (
    <span class="avatar" aria-hidden="true">
      {Array.from(user.name.trim())[0]?.toUpperCase()}
    </span>
  )
}

function BellIcon() {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M4.5 14h11c-1-1.2-1.5-2.2-1.5-5.5a4 4 0 0 0-8 0c0 3.3-.5 4.3-1.5 5.5ZM8.5 16.5a1.6 1.6 0 0 0 3 0" />
    </svg>
  )
}

function ChevronIcon() {
  return (
    <svg class="icon chevron" viewBox="0 0 20 20" aria-hidden="true">
      <path d="m6 8 4 4 4-4" />
    </svg>
  )
}
