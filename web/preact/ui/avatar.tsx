import type { User } from '../../contract/pages.ts'

/** The photo, or the first letters of the name; the name stands beside it, so it says nothing. */
export function Avatar({ user, size = 32 }: { user: User; size?: 32 | 96 }) {
  const look = size === 32 ? 'avatar' : 'avatar large'
  if (user.photo) return <img class={look} src={user.photo} alt="" width={size} height={size} />
  return (
    <span class={look} aria-hidden="true">
      {initials(user.name)}
    </span>
  )
}

/** Of the first word and the last, as people see letters: an emoji or a letter with its marks is one. */
function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : words
  const letters = new Intl.Segmenter('en')
  return ends
    .map((word = '') => [...letters.segment(word)][0]?.segment ?? '')
    .join('')
    .toUpperCase()
}
