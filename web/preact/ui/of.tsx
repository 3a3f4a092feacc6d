/** What a button says, and of which row: for those who cannot see what it stands in. */
export function Of({ name, children }: { name: string; children: string }) {
  return (
    <>
      {children} <span class="visually-hidden">{name}</span>
    </>
  )
}
