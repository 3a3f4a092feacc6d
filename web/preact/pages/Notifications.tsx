import type { NotificationLine, PageProps } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { tray } from '../../contract/view/icons.ts'
import {
  notificationPageLinks,
  notificationFilters,
} from '../../contract/view/notification-pages.ts'
import { notifications as words } from '#words/notifications'
import { EmptyState } from '../ui/empty-state.tsx'
import { Pagination } from '../ui/pagination.tsx'
import { RelativeTime } from '../ui/times.tsx'

export function Notifications({ notifications, onlyUnread }: PageProps<'Notifications'>) {
  return (
    <div class="notifications">
      <h1>{words.heading}</h1>
      <p class="lead">{words.lead}</p>
      <NotificationFilter onlyUnread={onlyUnread} />
      {notifications.data.length > 0 ? (
        <>
          <ul class="panel rows lines">
            {notifications.data.map((line) => (
              <li key={line.id} class="row line">
                <NotificationRow line={line} />
              </li>
            ))}
          </ul>
          <Pagination
            list={notifications}
            links={notificationPageLinks({ notifications, onlyUnread })}
            label={words.pages}
            previous={words.newer}
            next={words.older}
          />
        </>
      ) : (
        <EmptyState
          icon={tray}
          heading={onlyUnread ? words.noneUnread : words.none}
          text={onlyUnread ? words.noneUnreadText : words.noneText}
        >
          {onlyUnread && (
            <a class="button" href={paths['notifications.index']}>
              {words.seeAll}
            </a>
          )}
        </EmptyState>
      )}
    </div>
  )
}

/** The links to all notifications, and to the unread ones. */
function NotificationFilter({ onlyUnread }: { onlyUnread: boolean }) {
  return (
    <nav class="which" aria-label={words.which}>
      {notificationFilters(onlyUnread).map(({ href, name, isCurrent }) => (
        <a key={name} class="which-way" href={href} aria-current={isCurrent ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}

function NotificationRow({ line }: { line: NotificationLine }) {
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
        <RelativeTime at={line.createdAt} />
        {line.address && <span>{words.from(line.address)}</span>}
      </p>
    </>
  )
}
