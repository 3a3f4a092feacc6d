import { paths } from '../../../contract/paths.ts'
import { bell } from '../../../contract/view/bar-icons.ts'
import { layout } from '#words/layout'
import { Icon } from '../icon.tsx'

/** The link to the notifications, with the number of unread ones. */
export function Bell({ unread, isCurrent }: { unread: number; isCurrent: boolean }) {
  return (
    <a
      class="bell"
      href={paths['notifications.index']}
      aria-current={isCurrent ? 'page' : undefined}
      data-listen="notification"
    >
      <Icon path={bell} size={24} />
      {unread > 0 && (
        <span class="count" aria-hidden="true">
          {layout.count(unread)}
        </span>
      )}
      <span class="visually-hidden">
        {unread > 0 ? layout.unread(unread) : layout.notifications}
      </span>
    </a>
  )
}
