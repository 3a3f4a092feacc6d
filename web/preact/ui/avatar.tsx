import type { User } from '../../contract/pages.ts'
import { initials } from '../../contract/view/initials.ts'

/** The photo or the initials. Screen readers skip it, since the name is next to it. */
export function Avatar({ user, size = 32 }: { user: User; size?: 32 | 96 }) {
  const className = size === 32 ? 'avatar' : 'avatar large'
  if (user.photo)
    return <img class={className} src={user.photo} alt="" width={size} height={size} />
  return (
    <span class={className} aria-hidden="true">
      {initials(user.name)}
    </span>
  )
}
