import { expect, test } from 'vitest'
import { bucketAddress, bucketAddressForBrowsers } from './bucket-address.ts'
import { amazonBucket } from '../../testing/network/s3.ts'

test('without an endpoint the bucket is at Amazon, in its region', () => {
  expect(bucketAddress(amazonBucket)).toBe('https://photos.s3.eu-central-1.amazonaws.com')
  expect(bucketAddress({ ...amazonBucket, pathStyle: true })).toBe(
    'https://s3.eu-central-1.amazonaws.com/photos',
  )
  expect(bucketAddress({ ...amazonBucket, region: 'cn-north-1' })).toBe(
    'https://photos.s3.cn-north-1.amazonaws.com.cn',
  )
})

test('the name of the bucket is part of the host, or in path style part of the path', () => {
  const other = { ...amazonBucket, endpoint: 'https://s3.example.com:8443/base' }
  expect(bucketAddress(other)).toBe('https://photos.s3.example.com:8443/base')
  expect(bucketAddress({ ...other, pathStyle: true })).toBe(
    'https://s3.example.com:8443/base/photos',
  )
})

test('browsers fetch photos from AWS_URL when it is set', () => {
  const url = 'https://cdn.example.com'
  const addresses = [
    amazonBucket,
    { ...amazonBucket, url },
    { ...amazonBucket, url, pathStyle: true },
    { ...amazonBucket, url: `${url}/photos`, pathStyle: true },
  ].map(bucketAddressForBrowsers)
  expect(addresses).toEqual([
    'https://photos.s3.eu-central-1.amazonaws.com',
    'https://cdn.example.com',
    'https://cdn.example.com/photos',
    'https://cdn.example.com/photos',
  ])
})
