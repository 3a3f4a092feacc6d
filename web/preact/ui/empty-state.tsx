import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

interface EmptyStateProps {
  readonly icon: string
  readonly heading: string
  /** What to do, or what will be here. */
  readonly text: string
  /** Whether it is in a panel, whose heading puts this one a level lower. */
  readonly isInPanel?: boolean
  /** The link or button to do it. */
  readonly children?: ComponentChildren
}

/** A placeholder for an empty list: an icon, what is missing, and what to do. */
export function EmptyState({ icon, heading, text, isInPanel, children }: EmptyStateProps) {
  return (
    <div class="empty">
      <Icon path={icon} />
      {isInPanel ? <h3>{heading}</h3> : <h2>{heading}</h2>}
      <p class="hint">{text}</p>
      {children}
    </div>
  )
}
