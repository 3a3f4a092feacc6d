import { readFileSync } from 'node:fs'
import {
  Agent,
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import type { Stage } from './stage.ts'

/**
 * What the browser talks to: passes each request on to the server as it is, holds it while the server starts, and
 * tells of faults when there is no server that could.
 */
export function makeDoor(stage: Stage): Server {
  const agent = new Agent({ keepAlive: true })
  return createServer((request, response) => {
    if (request.url === '/_dev/events') return followStage(stage, response)
    if (request.url === '/_dev/page.js') return sendScript(response)
    stage.standing().then(({ port, fault }) => {
      if (fault !== undefined && (port === undefined || wantsDocument(request)))
        return sendFault(response, fault)
      return passOn(request, response, { agent, port })
    }, console.error)
  })
}

function followStage(stage: Stage, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  // The browser asks again this many milliseconds after the runner went away.
  response.write('retry: 300\n\n')
  const leave = stage.follow(({ build, fault }) =>
    response.write(`data: ${JSON.stringify({ build, fault })}\n\n`),
  )
  response.on('close', leave)
}

function sendScript(response: ServerResponse): void {
  const script = stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'page.ts'), 'utf8'))
  response.writeHead(200, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(script)
}

function wantsDocument({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' && headers['x-page'] === undefined && /text\/html/.test(headers.accept ?? '')
  )
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

function sendFault(response: ServerResponse, fault: string): void {
  const text = fault.replace(/[&<>]/g, (character) => escapes[character] ?? '')
  response.writeHead(500, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; script-src 'self'; connect-src 'self'",
  })
  response.end(
    `<!doctype html><html lang="en"><title>This does not run yet</title><h1>This does not run yet</h1>` +
      `<pre id="dev-fault">${text}</pre><script type="module" src="/_dev/page.js"></script></html>`,
  )
}

function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { agent, port }: { agent: Agent; port: number | undefined },
): void {
  const { method, url, rawHeaders } = request
  const asked = ask({
    agent,
    host: '127.0.0.1',
    port,
    method,
    path: url,
    headers: rawHeaders,
    setHost: false,
  })
  asked.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders)
    answer.pipe(response)
  })
  asked.on('error', (error) => {
    if (response.headersSent) return response.destroy()
    response
      .writeHead(502, { 'content-type': 'text/plain; charset=utf-8' })
      .end(`The server is gone: ${error.message}\n`)
  })
  response.on('close', () => asked.destroy())
  request.pipe(asked)
}
