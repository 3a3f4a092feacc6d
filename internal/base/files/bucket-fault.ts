import { errorCode } from '../error-code.ts'
import { messageOf } from '../error-message.ts'
import { type CertificateFault, certificateFault } from '../network/certificate-fault.ts'
import { type Bucket, bucketAddress } from './bucket-address.ts'

/** A bucket failed to do what it was asked. */
export class BucketFault extends Error {
  /** What to do about it, in whole sentences. */
  readonly advice: string

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options)
    this.advice = advice
  }
}

/** A bucket refused a request. */
export class BucketRefusal extends BucketFault {
  readonly status: number
  /** The error code that its server sent, such as `AccessDenied`; undefined if it sent none. */
  readonly code: string | undefined

  constructor(
    bucket: Bucket,
    method: string,
    { status, code }: { status: number; code: string | undefined },
  ) {
    super(
      `The bucket ${bucket.bucket} answered a ${method} with ${status}${code === undefined ? '' : ` (${code})`}.`,
      ofRefusal(bucket, status, code),
    )
    this.status = status
    this.code = code
  }
}

/** A bucket did not answer, or broke off its answer; `cause` says why. */
export class BucketSilence extends BucketFault {
  constructor(bucket: Bucket, method: string, cause: unknown) {
    const message = `The bucket ${bucket.bucket} did not answer a ${method}.`
    super(message, ofSilence(bucket, cause), { cause })
  }
}

/** Returns what to do so that a bucket stores and returns files. */
export function bucketAdvice(error: unknown): string {
  return error instanceof BucketFault
    ? error.advice
    : 'Check AWS_ENDPOINT and the settings beside it.'
}

function ofRefusal(bucket: Bucket, status: number, code = ''): string {
  const match = advices.find(({ codes }) => codes.test(code))
  if (match) return match.advice
  if (status === 403)
    return 'Let the user of AWS_ACCESS_KEY_ID read, write and delete in it, and allow s3:ListBucket on the bucket itself, since a missing photo cannot be told from a refused one otherwise; or check AWS_SECRET_ACCESS_KEY.'
  if (status >= 500) return 'Its server cannot serve it now: look at what that one logged.'
  return `What answers at ${bucketAddress(bucket)} may be no object storage: check AWS_ENDPOINT and AWS_USE_PATH_STYLE_ENDPOINT.`
}

// By the error codes of Amazon S3, which other S3 servers use too (S3 API reference: Error responses).
const advices: readonly { readonly codes: RegExp; readonly advice: string }[] = [
  { codes: /^NoSuchBucket$/, advice: 'Make it, or set AWS_BUCKET to one that is there.' },
  {
    codes: /^InvalidAccessKeyId$/,
    advice: 'Set AWS_ACCESS_KEY_ID to one that its server knows.',
  },
  {
    codes: /^SignatureDoesNotMatch$/,
    advice: 'Set AWS_SECRET_ACCESS_KEY to the secret of AWS_ACCESS_KEY_ID.',
  },
  {
    codes: /^(?:AuthorizationHeaderMalformed|PermanentRedirect|TemporaryRedirect)$/,
    advice: 'Set AWS_DEFAULT_REGION to the region of the bucket.',
  },
  {
    codes: /^RequestTimeTooSkewed$/,
    advice: 'Set the clock of this machine, and let a time server keep it right.',
  },
]

function ofSilence(bucket: Bucket, cause: unknown): string {
  const { name } = cause as Error
  const message = messageOf(cause)
  const code = errorCode(cause)
  const { protocol, host } = new URL(bucketAddress(bucket))
  const address = `${protocol}//${host}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return bucket.pathStyle
      ? `No server has the name in ${address}. Check AWS_ENDPOINT.`
      : `No server has the name in ${address}. Check AWS_ENDPOINT and AWS_BUCKET; where a bucket is part of the path, not of the host, set AWS_USE_PATH_STYLE_ENDPOINT=true.`
  const fault = certificateFault(message)
  if (fault)
    return `The certificate of ${address} is not trusted (${message}). ${certificateAdvice[fault]}`
  if (code === 'EPROTO')
    return `What answers at ${address} does not speak TLS. Check AWS_ENDPOINT, which may have to begin with http://.`
  // When the caller aborts, its reason is thrown instead: this is a timeout.
  const reason = name === 'AbortError' ? 'in time' : `(${message})`
  return `Nothing answers at ${address} ${reason}. Check AWS_ENDPOINT, and whether a firewall blocks the connection.`
}

const certificateAdvice: Readonly<Record<CertificateFault, string>> = {
  time: 'Renew it there, or set the clock of this machine.',
  // Amazon's is for one label before its own name: a bucket whose name has a dot is none.
  name: 'Set AWS_ENDPOINT to a name that it is for; where it is not for the name of the bucket, set AWS_USE_PATH_STYLE_ENDPOINT=true.',
  authority: 'Set NODE_EXTRA_CA_CERTS to the file of the authority it comes from.',
}
