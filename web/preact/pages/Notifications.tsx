import type { NotificationLine, NotificationList, PageProps } from '../../contract/pages.ts'
import { paths } from '../../contract/paths.ts'
import { notifications as words } from '#words/notifications'
import { When } from '../ui/when.tsx'

export function Notifications({ notifications }: PageProps<'Notifications'>) {
  return (
    <>
      <h1>{words.heading}</h1>
      {notifications.total > 0 ? (
        <>
          <p class="lead">{words.lead}</p>
          <ul class="panel rows lines">
            {notifications.data.map((line) => (
              <li key={line.id} class="row line">
                <Line line={line} />
              </li>
            ))}
          </ul>
          {notifications.pages > 1 && <PageWays list={notifications} />}
        </>
      ) : (
        <div class="panel nothing">
          <h2>{words.none}</h2>
          <p class="hint">{words.noneText}</p>
        </div>
      )}
    </>
  )
}

function Line({ line }: { line: NotificationLine }) {
  return (
    <>
      <p class="line-text" lang={line.language}>
        {line.text}
      </p>
      {line.unread && <span class="new">{words.isNew}</span>}
      <p class="hint">
        <When at={line.createdAt} />
      </p>
    </>
  )
}

function PageWays({ list: { page, pages } }: { list: NotificationList }) {
  return (
    <nav class="page-ways" aria-label={words.pages}>
      {page > 1 && (
        <a class="button" rel="prev" href={pageAt(page - 1)}>
          {words.newer}
        </a>
      )}
      <p class="hint">{words.page(page, pages)}</p>
      {page < pages && (
        <a class="button" rel="next" href={pageAt(page + 1)}>
          {words.older}
        </a>
      )}
    </nav>
  )
}

function pageAt(page: number): string {
  return `${paths['notifications.index']}?page=${page}`
}
