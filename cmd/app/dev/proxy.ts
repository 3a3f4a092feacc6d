import {
  Agent,
  createServer,
  request as sendRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { pipeline } from 'node:stream'
import { escapeHtml } from '../../../internal/base/text/escape.ts'
import { answerMail } from './mail/answer.ts'
import { isOwnHost } from './own-host.ts'
import type { Stage } from './server-state.ts'

/**
 * Creates the server that browsers connect to. It serves the mailbox, and forwards all other requests unchanged to the
 * app's server, holding them while that starts. If the newest code does not run, it shows the reason. What it shows
 * itself needs no login, and so is shown only at `origin`, at `localhost` and at IP addresses.
 */
export function makeProxy(stage: Stage, origin: string): Server {
  const agent = new Agent({ keepAlive: true })
  return createServer((request, response) => {
    const isOwn = isOwnHost(request.headers.host, origin)
    if (!isOwn && request.url?.startsWith('/_dev/')) return refuseHost(response, origin)
    if (request.url === '/_dev/events') return streamState(stage, response)
    if (/^\/_dev\/mail(?:$|[/?])/.test(request.url ?? ''))
      return void answerMail(request.url ?? '', response).catch((error) =>
        sendFailure(response, error),
      )
    stage.settledState().then(({ build, port, fault }) => {
      if (fault !== undefined && (port === undefined || wantsDocument(request)))
        return isOwn ? sendFault(response, fault) : refuseHost(response, origin)
      return forward(request, response, { agent, port, build })
    }, console.error)
  })
}

function streamState(stage: Stage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  // Milliseconds before the browser reconnects after the runner has ended.
  response.write('retry: 300\n\n')
  const unsubscribe = stage.subscribe(({ build, fault }) =>
    response.write(`data: ${JSON.stringify({ build, fault })}\n\n`),
  )
  response.on('close', unsubscribe)
}

function refuseHost(response: ServerResponse, origin: string): void {
  response
    .writeHead(403, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    .end(
      `Open ${origin} instead. Or set APP_URL to the address that you opened, and start again.\n`,
    )
}

function wantsDocument({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' && headers['x-page'] === undefined && /text\/html/.test(headers.accept ?? '')
  )
}

function sendFailure(response: ServerResponse, error: unknown): void {
  console.error(error)
  response
    .writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
    .end('It failed: see the terminal.\n')
}

function sendFault(response: ServerResponse, fault: string): void {
  response.writeHead(500, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(`<!doctype html><html lang="en"><title>This does not run yet</title>
<style>
  :root { color-scheme: light dark; font-family: system-ui }
  body { max-width: 60rem; margin: 10vh auto; padding: 0 1rem }
  pre { overflow: auto; font: 14px/1.6 ui-monospace, monospace }
</style>
<h1>This does not run yet</h1>
<pre>${escapeHtml(fault)}</pre>
<script>
  new EventSource('/_dev/events').onmessage = ({ data }) => {
    const { fault } = JSON.parse(data)
    if (fault === undefined) location.reload()
    else document.querySelector('pre').textContent = fault
  }
</script></html>`)
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { agent, port, build }: { agent: Agent; port: number | undefined; build: string },
): void {
  const { method, url, rawHeaders } = request
  const serverRequest = sendRequest({
    agent,
    host: '127.0.0.1',
    port,
    method,
    path: url,
    headers: rawHeaders,
    setHost: false,
  })
  serverRequest.on('response', (answer) => {
    // The page compares its build with the newest: scripts can read this header of their own document.
    const headers = [...answer.rawHeaders, 'Server-Timing', `build;desc="${build}"`]
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, headers)
    // If the server's answer is cut off, so is this one.
    pipeline(answer, response, () => {})
  })
  serverRequest.on('error', (error) => {
    if (response.headersSent) return response.destroy()
    response
      .writeHead(502, { 'content-type': 'text/plain; charset=utf-8' })
      .end(`The server is gone: ${error.message}\n`)
  })
  response.on('close', () => serverRequest.destroy())
  request.pipe(serverRequest)
}
