/** Closes the open menus on Escape, or on a click outside of them. */
export function closeMenus(event: Event): void {
  if (event instanceof KeyboardEvent && event.key !== 'Escape') return
  for (const menu of document.querySelectorAll<HTMLDetailsElement>('details[data-menu][open]')) {
    if (event instanceof MouseEvent && menu.contains(event.target as Node)) continue
    const hadFocus = menu.contains(document.activeElement)
    menu.open = false
    // Escape leaves the focus in the menu; a click has already moved it.
    if (hadFocus) menu.querySelector('summary')?.focus()
  }
}

/** Closes a menu that has lost the focus to another element, which it may cover (WCAG 2.2, 2.4.11). */
export function closeLeft({ target, relatedTarget }: FocusEvent): void {
  const menu = (target as Element).closest<HTMLDetailsElement>('details[data-menu][open]')
  if (menu && relatedTarget && !menu.contains(relatedTarget as Node)) menu.open = false
}
