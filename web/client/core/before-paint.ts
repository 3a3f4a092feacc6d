/** Local storage key of the browser's choice: light, dark or system (contract: Local storage key). */
export const appearanceKey = 'appearance'

/**
 * Script that applies the choice before the page paints (spec: Frontend), and again on each `storage` event:
 * from another tab, or dispatched by this one. A forced choice is in `<html data-appearance>` and also
 * decides the colour of the browser's bar; without one both follow the system. `<html data-js>` says that
 * scripts run, `<html data-passkeys>` that passkeys are possible, which they never are at an IP address. Both
 * are removed if the page's own module fails to load or local storage is inaccessible.
 */
export const scriptBeforePaint =
  `const d=document.documentElement.dataset;d.js='';` +
  `if(self.PublicKeyCredential&&!/(\\.\\d+|])$/.test(location.hostname))d.passkeys='';` +
  `addEventListener('error',({target:{type}})=>{if(type=='module')delete d.js,delete d.passkeys},true);` +
  `(onstorage=()=>{try{const a=localStorage.${appearanceKey};` +
  `/^(light|dark)$/.test(a)?d.appearance=a:delete d.appearance;` +
  `document.querySelector('[media]').media={light:'not all',dark:'all'}[a]||'(prefers-color-scheme:dark)'}catch{delete d.js,delete d.passkeys}})()`
