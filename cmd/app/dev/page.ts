// Part of every page under the development runner: shows why the newest code does not run, and reloads the page after
// a change.

const dialog = document.createElement('dialog')
let build = buildOfDocument()
let events: EventSource | undefined

function showState({ data }: MessageEvent<string>): void {
  const state = JSON.parse(data) as { build: string; fault?: string }
  if (state.fault !== undefined) return showFault(state.fault)
  if (dialog.isConnected || (build !== undefined && build !== state.build)) return location.reload()
  build = state.build
}

/** Returns the build that made the document; undefined at an address that the browser does not trust. */
function buildOfDocument(): string | undefined {
  const [navigation] = performance.getEntriesByType('navigation')
  const { serverTiming = [] } = navigation as Partial<PerformanceNavigationTiming>
  return serverTiming.find(({ name }) => name === 'build')?.description
}

function showFault(fault: string): void {
  const [heading, text] = [document.createElement('strong'), document.createElement('pre')]
  heading.textContent = 'This does not run yet'
  text.textContent = fault
  // The page's policy blocks style attributes, but not styles set by script.
  text.style.cssText = 'overflow: auto; font: 14px/1.6 ui-monospace, monospace'
  dialog.style.cssText =
    'width: min(60rem, 92vw); max-height: 90vh; padding: 1.5rem; border: 2px solid #d33; border-radius: 10px'
  dialog.replaceChildren(heading, text)
  document.body.append(dialog)
  if (!dialog.open) dialog.showModal()
}

function listen(): void {
  events = new EventSource('/_dev/events')
  events.addEventListener('message', showState)
}

// Hidden pages close their stream: a browser opens at most six connections to a server, so a seventh page would wait.
document.addEventListener('visibilitychange', () => {
  events?.close()
  if (!document.hidden) listen()
})
listen()
