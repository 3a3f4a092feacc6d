import type { ComponentChildren } from 'preact'
import type { PasskeysSignal, UserSignal } from '../../contract/signals.ts'

interface PanelProps {
  /** The ID of the section, and of its place in the page's address (`#id`). */
  readonly id: string
  readonly heading: string
  readonly lead?: string
  readonly variant?: 'danger'
  /** The ID of the file field that takes what is dropped on it. */
  readonly drop?: string
  /** What the client tells the browser of the user's passkeys, or of their name and email. */
  readonly signal?: PasskeysSignal | UserSignal
  readonly children: ComponentChildren
}

/** A section of a page, under a heading of its own. */
export function Panel({ id, heading, lead, variant, drop, signal, children }: PanelProps) {
  return (
    <section
      id={id}
      class="panel"
      data-kind={variant}
      data-drop={drop}
      data-signal={signal && JSON.stringify(signal)}
      aria-labelledby={`${id}-heading`}
    >
      <h2 id={`${id}-heading`}>{heading}</h2>
      {lead && <p class="hint">{lead}</p>}
      {children}
    </section>
  )
}
