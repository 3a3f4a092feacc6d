// Part of every page while the development runner serves it: shows what does not compile, and loads the page
// again after a change. The runner also gives it, without its types, to its own page that tells of a fault.

let fault = document.querySelector('#dev-fault')
let build: string | undefined

function show(text: string): void {
  if (!fault) {
    const dialog = document.createElement('dialog')
    // A style attribute would be blocked by the page's policy; a style set by script is not.
    dialog.style.cssText = 'inset: 0; width: 90vw; max-height: 90vh; overflow: auto'
    fault = dialog.appendChild(document.createElement('pre'))
    document.body.append(dialog)
    dialog.showModal()
  }
  fault.textContent = text
}

new EventSource('/_dev/events').addEventListener('message', ({ data }: MessageEvent<string>) => {
  const now = JSON.parse(data) as { build: string; fault?: string }
  if (now.fault !== undefined) return show(now.fault)
  if (fault || (build !== undefined && build !== now.build)) return location.reload()
  build = now.build
})
