/** The text of a button, and for screen readers also what it is about: the name of its row. */
export function OfWhat({ name, children }: { name: string; children: string }) {
  return (
    <>
      {children} <span class="visually-hidden">{name}</span>
    </>
  )
}
