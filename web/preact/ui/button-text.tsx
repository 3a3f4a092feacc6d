/** The text of a button, followed for screen readers by the name of its row. */
export function ButtonText({ name, children }: { name: string; children: string }) {
  return (
    <>
      {children} <span class="visually-hidden">{name}</span>
    </>
  )
}
