import type { ComponentChildren } from 'preact'
import type { PasskeysSignal, UserSignal } from '../../contract/signals.ts'

interface PanelProps {
  /** The ID of the section, also its fragment in the page's address (`#id`). */
  readonly id: string
  readonly heading: string
  readonly lead?: string
  readonly variant?: 'danger'
  /** The ID of the file field that receives files dropped on it. */
  readonly drop?: string
  /** What the client signals to the browser: the user's passkeys, or their name and email. */
  readonly signal?: PasskeysSignal | UserSignal
  readonly children: ComponentChildren
}

/** A section of a page with its own heading. */
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
