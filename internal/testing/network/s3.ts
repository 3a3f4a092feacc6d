import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Bucket } from '../../base/files/bucket-address.ts'

interface S3File {
  readonly content: Buffer
  readonly type: string
  readonly disposition: string
}

export interface S3 {
  /** The settings for access to the bucket. */
  readonly settings: Bucket
  /** By key. */
  readonly files: Map<string, S3File>
  /** Method and path of each request. */
  readonly requests: string[]
  /** Answers by method, set by a test; they take precedence over all checks. */
  readonly answers: Map<string, (response: ServerResponse) => void>
}

const secret = 'a secret of the test'

/** Settings of a bucket at Amazon, which tests never reach. */
export const amazonBucket: Bucket = {
  disk: 's3',
  accessKeyId: 'id',
  secretAccessKey: 'secret',
  region: 'eu-central-1',
  bucket: 'photos',
  endpoint: undefined,
  pathStyle: false,
  url: undefined,
}

/**
 * Starts a server with the part of Amazon's S3 API that the service uses. It checks each signature itself (Signature
 * Version 4, in headers and in queries) by the test's clock. Unless the user may list the bucket, a missing file is
 * refused, as by Amazon.
 */
export async function s3Server(now: () => Date, { mayList = true } = {}): Promise<S3> {
  const files = new Map<string, S3File>()
  const requests: string[] = []
  const answers = new Map<string, (response: ServerResponse) => void>()
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    requests.push(`${method} ${url.split('?')[0]}`)
    const answer = answers.get(method)
    if (answer) return answer(response)
    const body = await buffer(request)
    const fault = faultOf(request, body, now())
    if (fault) return refuse(response, 403, fault)
    const key = decodeURIComponent(new URL(url, 'http://x').pathname).replace('/photos/', '')
    if (method === 'PUT') files.set(key, s3File(request, body))
    else if (method === 'DELETE') files.delete(key)
    else if (files.has(key) || mayList) return send(request, response, files.get(key))
    else return refuse(response, 403, 'AccessDenied')
    return response.writeHead(method === 'PUT' ? 200 : 204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  const settings: Bucket = {
    disk: 's3',
    accessKeyId: 'test-id',
    secretAccessKey: secret,
    region: 'eu-central-1',
    bucket: 'photos',
    endpoint: `http://127.0.0.1:${port}`,
    pathStyle: true,
    url: undefined,
  }
  return { settings, files, requests, answers }
}

/** Returns the settings with which the executable stores photos in this bucket. */
export function settingsOfBucket({ settings }: S3): Record<string, string> {
  return {
    FILESYSTEM_DISK: 's3',
    AWS_ACCESS_KEY_ID: settings.accessKeyId,
    AWS_SECRET_ACCESS_KEY: settings.secretAccessKey,
    AWS_DEFAULT_REGION: settings.region,
    AWS_BUCKET: settings.bucket,
    AWS_ENDPOINT: settings.endpoint ?? '',
    AWS_USE_PATH_STYLE_ENDPOINT: String(settings.pathStyle),
  }
}

function s3File({ headers }: IncomingMessage, content: Buffer): S3File {
  const { 'content-type': type = '', 'content-disposition': disposition = '' } = headers
  return { content, type, disposition }
}

function send(request: IncomingMessage, response: ServerResponse, file: S3File | undefined): void {
  if (!file) return refuse(response, 404, 'NoSuchKey')
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const part =
    from === undefined ? file.content : file.content.subarray(Number(from), Number(to) + 1)
  response.writeHead(from === undefined ? 200 : 206, {
    'Content-Type': file.type,
    'Content-Disposition': file.disposition,
    'Content-Length': part.length,
    'Last-Modified': 'Mon, 05 Jan 2026 10:00:00 GMT',
  })
  response.end(request.method === 'HEAD' ? undefined : part)
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'Content-Type': 'application/xml' })
  response.end(`<Error><Code>${code}</Code><Message>${secret}</Message></Error>`)
}

/** Returns S3's error code for a request that is refused; undefined if its signature is valid. */
function faultOf(request: IncomingMessage, body: Buffer, now: Date): string | undefined {
  const url = new URL(request.url ?? '', `http://${request.headers.host}`)
  const isLink = url.searchParams.has('X-Amz-Signature')
  const parameters = isLink ? fromQuery(url) : fromHeaders(request)
  if (!parameters) return 'AccessDenied'
  const age = (now.getTime() - timeOf(parameters.date)) / 1000
  const isInTime = isLink ? age >= -900 && age <= parameters.seconds : Math.abs(age) <= 900
  if (!isInTime) return isLink ? 'AccessDenied' : 'RequestTimeTooSkewed'
  if (parameters.bodyHash !== 'UNSIGNED-PAYLOAD' && parameters.bodyHash !== hex(body))
    return 'XAmzContentSHA256Mismatch'
  if (!parameters.signed.split(';').includes('host')) return 'AccessDenied'
  const scope = `${parameters.date.slice(0, 8)}/eu-central-1/s3/aws4_request`
  if (parameters.credential !== `test-id/${scope}`) return 'InvalidAccessKeyId'
  const text = [
    'AWS4-HMAC-SHA256',
    parameters.date,
    scope,
    hex(canonical(request, url, parameters)),
  ].join('\n')
  return hmac(signingKey(scope), text).toString('hex') === parameters.signature
    ? undefined
    : 'SignatureDoesNotMatch'
}

interface SigningParameters {
  readonly credential: string
  readonly signed: string
  readonly signature: string
  readonly date: string
  readonly seconds: number
  readonly bodyHash: string
}

function fromHeaders({ headers }: IncomingMessage): SigningParameters | undefined {
  const [, credential = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), SignedHeaders=(\S+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (!signature) return undefined
  const date = String(headers['x-amz-date'])
  const bodyHash = String(headers['x-amz-content-sha256'])
  return { credential, signed, signature, date, seconds: 0, bodyHash }
}

function fromQuery({ searchParams: query }: URL): SigningParameters | undefined {
  if (query.get('X-Amz-Algorithm') !== 'AWS4-HMAC-SHA256') return undefined
  const value = (name: string) => query.get(name) ?? ''
  return {
    credential: value('X-Amz-Credential'),
    signed: value('X-Amz-SignedHeaders'),
    signature: value('X-Amz-Signature'),
    date: value('X-Amz-Date'),
    seconds: Number(value('X-Amz-Expires')),
    bodyHash: 'UNSIGNED-PAYLOAD',
  }
}

function canonical(
  request: IncomingMessage,
  url: URL,
  { signed, bodyHash }: SigningParameters,
): string {
  const query = [...url.searchParams]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map((pair) => pair.map(encoded).join('='))
    .toSorted()
    .join('&')
  const headers = signed.split(';').map((name) => `${name}:${String(request.headers[name])}\n`)
  const path = decodeURIComponent(url.pathname).split('/').map(encoded).join('/')
  return [request.method, path, query, headers.join(''), signed, bodyHash].join('\n')
}

function signingKey(scope: string): Buffer {
  const first: Buffer = Buffer.from(`AWS4${secret}`)
  return scope.split('/').reduce((key, part) => hmac(key, part), first)
}

function timeOf(date: string): number {
  return Date.parse(date.replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function hmac(key: Uint8Array, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function hex(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
