import type { NotificationLine, NotificationList, PageProps } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { tray } from '../../contract/view/icons.ts'
import { notifications as words } from '#words/notifications'
import { Icon } from '../ui/icon.tsx'
import { When } from '../ui/when.tsx'

export function Notifications({ notifications, onlyUnread }: PageProps<'Notifications'>) {
  return (
    <div class="notifications">
      <h1>{words.heading}</h1>
      <p class="lead">{words.lead}</p>
      <Which onlyUnread={onlyUnread} />
      {notifications.data.length > 0 ? (
        <>
          <ul class="panel rows lines">
            {notifications.data.map((line) => (
              <li key={line.id} class="row line">
                <Line line={line} />
              </li>
            ))}
          </ul>
          {notifications.pages > 1 && <PageWays list={notifications} onlyUnread={onlyUnread} />}
        </>
      ) : (
        <div class="empty">
          <Icon path={tray} />
          <h2>{onlyUnread ? words.noneUnread : words.none}</h2>
          <p class="hint">{onlyUnread ? words.noneUnreadText : words.noneText}</p>
        </div>
      )}
    </div>
  )
}

/** All of them, or those that are unread. */
function Which({ onlyUnread }: { onlyUnread: boolean }) {
  const all = paths['notifications.index']
  const choices = [
    { href: all, name: words.all, isShown: !onlyUnread },
    { href: `${all}?unread`, name: words.unread, isShown: onlyUnread },
  ]
  return (
    <nav class="which" aria-label={words.which}>
      {choices.map(({ href, name, isShown }) => (
        <a key={name} class="which-way" href={href} aria-current={isShown ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}

function Line({ line }: { line: NotificationLine }) {
  return (
    <>
      <p class="line-text" lang={line.language}>
        {line.href ? (
          <a class="line-way" href={line.href}>
            {line.text}
          </a>
        ) : (
          line.text
        )}
      </p>
      {line.unread && <span class="new">{words.isNew}</span>}
      <p class="hint parts">
        <When at={line.createdAt} />
        {line.address && <span>{words.from(line.address)}</span>}
      </p>
    </>
  )
}

interface PageWaysProps {
  readonly list: NotificationList
  readonly onlyUnread: boolean
}

function PageWays({ list: { page, pages }, onlyUnread }: PageWaysProps) {
  return (
    <nav class="page-ways" aria-label={words.pages}>
      {page > 1 && (
        <a class="button" rel="prev" href={pageAt(page - 1)}>
          {words.newer}
        </a>
      )}
      <p class="hint">{words.page(page, pages)}</p>
      {page < pages && (
        <a
          class="button"
          rel="next"
          href={onlyUnread ? `${paths['notifications.index']}?unread` : pageAt(page + 1)}
        >
          {words.older}
        </a>
      )}
    </nav>
  )
}

function pageAt(page: number): string {
  return `${paths['notifications.index']}?page=${page}`
}
