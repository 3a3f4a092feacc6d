/** Light, dark, or as the system is. */
type Appearance = 'light' | 'dark' | 'system'

/** Under which the browser keeps its choice (contract: Local storage key). */
export const appearanceKey = 'appearance'

/**
 * The script that applies the choice before the page paints (spec: Frontend). A forced choice stands in
 * `<html data-appearance>`; without one the stylesheet follows the system. `<html data-js>` says that a script runs,
 * `<html data-passkeys>` that there can be passkeys: at an IP address there are none.
 */
// A function, which stays out of the pages: a text that has to be put together would not.
export const appearanceScript = (): string =>
  `const d=document.documentElement.dataset;d.js='';` +
  `if(self.PublicKeyCredential&&!/(\\.\\d+|])$/.test(location.hostname))d.passkeys='';` +
  `try{const a=localStorage.${appearanceKey};if(/^(light|dark)$/.test(a))d.appearance=a}catch{}`

/** This browser's choice. */
function appearance(): Appearance {
  const kept = localStorage.getItem(appearanceKey)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Takes on a choice made in another tab. */
export function followAppearance(): void {
  addEventListener('storage', (event) => {
    if (event.key === appearanceKey || event.key === null) applyAppearance()
  })
}

/** Shows the page as this browser's choice is. */
export function applyAppearance(): void {
  const choice = appearance()
  const { dataset } = document.documentElement
  if (choice === 'system') delete dataset.appearance
  else dataset.appearance = choice
}
