import type { Config } from '../settings/config.ts'

/** The settings of a bucket. */
export type Bucket = Extract<Config['files'], { disk: 's3' }>

/** Returns where the service requests the files of a bucket, without a trailing slash. */
export function bucketAddress({ endpoint, region, bucket, pathStyle }: Bucket): string {
  const url = new URL(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (pathStyle) return `${withoutSlash(url)}/${bucket}`
  url.host = `${bucket}.${url.host}`
  return withoutSlash(url)
}

/**
 * Returns where browsers fetch the files: AWS_URL, or else `bucketAddress`. In path style a signed link names
 * the bucket after the host, so AWS_URL may leave it out.
 */
export function bucketAddressForBrowsers(settings: Bucket): string {
  const { url, bucket, pathStyle } = settings
  if (url === undefined) return bucketAddress(settings)
  return pathStyle && !url.endsWith(`/${bucket}`) ? `${url}/${bucket}` : url
}

function withoutSlash(url: URL): string {
  return url.href.replace(/\/+$/, '')
}
