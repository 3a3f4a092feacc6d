/** What a button says, and of what: for those who cannot see the row that it stands in. */
export function OfWhat({ name, children }: { name: string; children: string }) {
  return (
    <>
      {children} <span class="visually-hidden">{name}</span>
    </>
  )
}
