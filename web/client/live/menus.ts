/** Closes the menu that the focus has left for something else on the page, which it may cover (WCAG 2.2, 2.4.11). */
export function closeLeft({ target, relatedTarget }: FocusEvent): void {
  const menu = (target as Element).closest<HTMLDetailsElement>('details[data-menu][open]')
  if (menu && relatedTarget && !menu.contains(relatedTarget as Node)) menu.open = false
}
