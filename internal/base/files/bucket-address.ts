import type { Config } from '../settings/config.ts'

/** The settings of a bucket. */
export type Bucket = Extract<Config['files'], { disk: 's3' }>

/** Returns where the service requests the files of a bucket, without a trailing slash. */
export function bucketAddress({ endpoint, region, bucket, pathStyle }: Bucket): string {
  const url = new URL(endpoint ?? `https://s3.${region}.${amazonDomain(region)}`)
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

// Amazon's regions in China have a domain of their own.
function amazonDomain(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com'
}

function withoutSlash(url: URL): string {
  return url.href.replace(/\/+$/, '')
}
