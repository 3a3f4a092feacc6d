import type { BrowserContext, Page } from 'playwright-core'

/** The request that shows whether requests pass the test's routes. The server would answer it too. */
const probe = '/up?routed'

/**
 * Makes `route` wait until the requests of open pages pass the test's routes: Chromium tells the page of its first
 * route after it has told the test, and the page's requests until then bypass it. Interception stays on when no route
 * is left, since a request made while Chromium turns it off may never be answered.
 */
export function awaitRoutes(context: BrowserContext): void {
  const routeAll = context.route.bind(context)
  let started: Promise<void> | undefined
  const start = async () => {
    await routeAll(/\/up\?routed$/, (route) => route.fulfill({ body: 'routed' }))
    await Promise.all(context.pages().map(awaitRouting))
  }
  const delayRoutes = (routed: BrowserContext | Page) => {
    const route = routed.route.bind(routed)
    routed.route = async (...args) => {
      await (started ??= start())
      return route(...args)
    }
  }
  delayRoutes(context)
  context.on('page', delayRoutes)
}

async function awaitRouting(page: Page): Promise<void> {
  if (!page.url().startsWith('http')) return
  const script = `fetch('${probe}').then((answer) => answer.text())`
  while ((await page.evaluate(script)) !== 'routed');
}
