import type { ComponentChildren } from 'preact'

interface PanelProps {
  /** Its place in the page's address, too. */
  readonly id: string
  readonly heading: string
  readonly lead?: string
  readonly kind?: 'danger'
  readonly children: ComponentChildren
}

/** One subject of a page, under a heading of its own. */
export function Panel({ id, heading, lead, kind, children }: PanelProps) {
  return (
    <section id={id} class="panel" data-kind={kind} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>{heading}</h2>
      {lead && <p class="hint">{lead}</p>}
      {children}
    </section>
  )
}
