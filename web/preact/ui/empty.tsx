import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface EmptyProps {
  readonly icon: string
  readonly heading: string
  /** What to do, or what will be here. */
  readonly text: string
  /** Whether it stands in a panel, which has a heading: this one is then lower. */
  readonly inside?: boolean
  /** The link or button by which to do it. */
  readonly children?: ComponentChildren
}

/** Where there is nothing yet: a mark, what is missing, and what to do. */
export function Empty({ icon, heading, text, inside, children }: EmptyProps) {
  return (
    <div class="empty">
      <Icon path={icon} />
      {inside ? <h3>{heading}</h3> : <h2>{heading}</h2>}
      <p class="hint">{text}</p>
      {children}
    </div>
  )
}
