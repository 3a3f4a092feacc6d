/** Closes the open menus on Escape, or those that a click is outside of. */
export function closeMenus(event: Event): void {
  if (event instanceof KeyboardEvent && event.key !== 'Escape') return
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) {
    if (event instanceof MouseEvent && menu.contains(event.target as Node)) continue
    const hadFocus = menu.contains(document.activeElement)
    menu.open = false
    // Escape leaves the focus in the menu. A click has moved it by now.
    if (hadFocus) menu.querySelector('summary')?.focus()
  }
}

/** Closes the menu that the focus has left for something else on the page, which it may cover (WCAG 2.2, 2.4.11). */
export function closeLeft({ target, relatedTarget }: FocusEvent): void {
  const menu = (target as Element).closest<HTMLDetailsElement>('details[data-menu][open]')
  if (menu && relatedTarget && !menu.contains(relatedTarget as Node)) menu.open = false
}
