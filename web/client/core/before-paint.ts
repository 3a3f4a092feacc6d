/** The key under which the browser keeps its choice: light, dark or system (contract: Local storage key). */
export const appearanceKey = 'appearance'

/**
 * The script that applies the choice before the page paints (spec: Frontend), and again when another tab has made one,
 * or this one has, which says so by a `storage` event of its own. A forced choice stands in `<html data-appearance>`,
 * and decides of the dark colour of the browser's bar; without one both follow the system. `<html data-js>` says that a
 * script runs, `<html data-passkeys>` that there can be passkeys: at an IP address there are none. Both are
 * removed where the page's own script cannot be loaded, or local storage is closed to it.
 */
export const scriptBeforePaint =
  `const d=document.documentElement.dataset;d.js='';` +
  `if(self.PublicKeyCredential&&!/(\\.\\d+|])$/.test(location.hostname))d.passkeys='';` +
  `addEventListener('error',({target:{type}})=>{if(type=='module')delete d.js,delete d.passkeys},true);` +
  `(onstorage=()=>{try{const a=localStorage.${appearanceKey};` +
  `/^(light|dark)$/.test(a)?d.appearance=a:delete d.appearance;` +
  `document.querySelector('[media]').media={light:'not all',dark:'all'}[a]||'(prefers-color-scheme:dark)'}catch{delete d.js,delete d.passkeys}})()`
