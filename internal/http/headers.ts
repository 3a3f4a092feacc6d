import { type Bucket, bucketAddressForBrowsers } from '../base/files/bucket-address.ts'
import type { Frontend } from '../../web/contract/frontend.ts'
import { frontendOf } from './page/frontend-of.ts'
import type { App } from '../app.ts'

interface Answered {
  /** The request's ID. */
  readonly id: string
  /** The CSP nonce of the answer's scripts; undefined when it has none. */
  readonly nonce?: string
  readonly path?: string
}

/** Whether a path belongs to the API, where every answer is JSON and cookies are ignored. */
export function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/')
}

/** Builds the headers that every answer carries, including refusals and failures (security rule 10). */
export function standingHeaders(app: App): (answered: Answered) => Record<string, string> {
  const { config } = app
  const frontend = frontendOf(app)
  const images = config.files.disk === 's3' ? ` ${bucketOrigin(config.files)}` : ''
  const commonDirectives = `img-src 'self'${images}; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'${trustedTypes(frontend)}`
  const fixed = {
    'X-Content-Type-Options': 'nosniff',
    // Not no-referrer: a failed form redirects to its Referer.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy':
      'camera=(), geolocation=(), microphone=(), payment=(), usb=(), publickey-credentials-create=(self), publickey-credentials-get=(self)',
    'Reporting-Endpoints': 'csp="/csp-reports"',
    ...(config.https && { 'Strict-Transport-Security': 'max-age=31536000' }),
  }
  const withoutScripts = {
    ...fixed,
    'Content-Security-Policy': `default-src 'none'; style-src 'self'; ${commonDirectives}`,
  }
  // Sites in CORS_ORIGINS may read the API's answers.
  const { 'Cross-Origin-Resource-Policy': _ours, ...api } = withoutScripts
  return ({ id, nonce, path = '/' }) => {
    if (isApi(path)) return { ...api, 'X-Request-Id': id }
    if (nonce === undefined) return { ...withoutScripts, 'X-Request-Id': id }
    const styles = frontend.makesStyles ? `'self' 'nonce-${nonce}'` : "'self'"
    const policy = `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src ${styles}; ${commonDirectives}; ${reports}`
    return { ...fixed, 'Content-Security-Policy': policy, 'X-Request-Id': id }
  }
}

/** Returns the CSP's Trusted Types directives: only this frontend's policies may turn text into script. */
export function trustedTypes({ trustedTypes: names }: Pick<Frontend, 'trustedTypes'>): string {
  if (!names) return ''
  return `; require-trusted-types-for 'script'; trusted-types ${names.join(' ') || "'none'"}`
}

// Only documents request reports: a browser shows any other answer in a document of its own, whose styles the
// policy blocks, and that is no fault to report.
const reports = 'report-uri /csp-reports; report-to csp'

function bucketOrigin(bucket: Bucket): string {
  return new URL(bucketAddressForBrowsers(bucket)).origin
}
