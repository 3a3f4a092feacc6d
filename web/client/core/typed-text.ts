/** Where session storage has what was typed in this tab, sealed. */
export const typedText = 'typedText'

/** Has what was typed before seen to, or else what is typed from now on: it is loaded with the first letter. */
export function onTyped(first: () => void): void {
  const begin = () => {
    document.documentElement.dataset.typed = ''
    first()
  }
  if (sessionStorage.getItem(typedText)) begin()
  else addEventListener('input', begin, { once: true })
}
