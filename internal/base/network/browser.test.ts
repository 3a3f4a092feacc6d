import { expect, test } from 'vitest'
import { browserOf, deviceOf } from './browser.ts'

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const linux = 'Mozilla/5.0 (X11; Linux x86_64)'
const android = 'Mozilla/5.0 (Linux; Android 14; Pixel 8)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X)'
const cros = 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0'
const mobileWebkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const macSafari = `${mac} ${mobileWebkit} Version/17.5 Safari/605.1.15`

/** Returns browser and system of a User-Agent, as one text. */
function browserAndSystem(userAgent: string): string {
  const { browser, system } = browserOf(userAgent)
  return `${browser} / ${system}`
}

// oxfmt-ignore
const known: readonly (readonly [userAgent: string, expected: string])[] = [
  [`${windows} ${blink} Safari/537.36`,                                        'Chrome / Windows'],
  [`${windows} ${blink} Safari/537.36 Edg/126.0.0.0`,                          'Edge / Windows'],
  [`${windows} ${blink} Safari/537.36 OPR/111.0.0.0`,                          'Opera / Windows'],
  [`${windows.replace(')', '; rv:127.0)')} Gecko/20100101 Firefox/127.0`,      'Firefox / Windows'],
  [`${mac} ${blink} Safari/537.36`,                                            'Chrome / macOS'],
  [macSafari,                                                                  'Safari / macOS'],
  [`${mac.replace(')', '; rv:127.0)')} Gecko/20100101 Firefox/127.0`,          'Firefox / macOS'],
  [`${linux} ${blink} Safari/537.36`,                                          'Chrome / Linux'],
  [`${linux} AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/126.0.0.0 Safari/537.36`, 'Chrome / Linux'],
  [`${linux} AppleWebKit/537.36 (KHTML, like Gecko) Ubuntu Chromium/80.0 Chrome/80.0 Safari/537.36`, 'Chrome / Linux'],
  ['Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',  'Firefox / Linux'],
  ['Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',  'Firefox / Linux'],
  [`${android} ${blink} Mobile Safari/537.36`,                                 'Chrome / Android'],
  [`${android} ${blink} Mobile Safari/537.36 EdgA/126.0.0.0`,                  'Edge / Android'],
  [`${android} ${blink} Mobile Safari/537.36 OPR/82.0.0.0`,                    'Opera / Android'],
  ['Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0',     'Firefox / Android'],
  [`${iphone} ${mobileWebkit} Version/17.5 Mobile/15E148 Safari/604.1`,        'Safari / iOS'],
  [`${iphone} ${mobileWebkit} CriOS/126.0.0.0 Mobile/15E148 Safari/604.1`,     'Chrome / iOS'],
  [`${iphone} ${mobileWebkit} FxiOS/127.0 Mobile/15E148 Safari/605.1.15`,      'Firefox / iOS'],
  [`${iphone} ${mobileWebkit} EdgiOS/126.0 Version/17.0 Mobile/15E148 Safari/604.1`, 'Edge / iOS'],
  [`${iphone.replaceAll('iPhone', 'iPad').replace('iPad OS', 'OS')} ${mobileWebkit} Version/17.5 Mobile/15E148 Safari/604.1`, 'Safari / iOS'],
  [`${cros} ${blink} Safari/537.36`,                                           'Chrome / ChromeOS'],
]

test('five browser families and six systems are recognised', () => {
  expect(known.map(([userAgent]) => browserAndSystem(userAgent))).toEqual(
    known.map(([, expected]) => expected),
  )
  const systems = new Set(known.map(([, expected]) => expected.split(' / ')[1]))
  const browsers = new Set(known.map(([, expected]) => expected.split(' / ')[0]))
  expect([browsers.size, systems.size]).toEqual([5, 6])
})

// oxfmt-ignore
const unknown: readonly (readonly [userAgent: string, expected: string])[] = [
  [`${android} AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`, 'null / Android'],
  [`${windows} ${blink} YaBrowser/24.6.0 Safari/537.36`, 'null / Windows'],
  ['Mozilla/5.0 (X11; FreeBSD amd64; rv:127.0) Gecko/20100101 Firefox/127.0', 'Firefox / null'],
  ['curl/8.5.0', 'null / null'],
  ['constructor/1.0 (__proto__)', 'null / null'],
  ['', 'null / null'],
]

test('an unknown browser or system is null', () => {
  expect(unknown.map(([userAgent]) => browserAndSystem(userAgent))).toEqual(
    unknown.map(([, expected]) => expected),
  )
})

test('a User-Agent is of a desktop computer, a phone, a tablet or an unknown device', () => {
  const ipad = iphone.replaceAll('iPhone', 'iPad').replace('iPad OS', 'OS')
  const tablet = 'Mozilla/5.0 (Linux; Android 14; SM-X710)'
  expect(
    [windows, mac, linux, cros].map((system) => deviceOf(`${system} ${blink} Safari/537.36`)),
  ).toEqual(Array.from({ length: 4 }, () => 'desktop'))
  expect([
    deviceOf(`${android} ${blink} Mobile Safari/537.36`),
    deviceOf(`${iphone} ${mobileWebkit} Version/17.5 Mobile/15E148 Safari/604.1`),
    deviceOf('Mozilla/5.0 (Android 14; Mobile; rv:127.0) Gecko/127.0 Firefox/127.0'),
    deviceOf(`${ipad} ${mobileWebkit} Version/17.5 Mobile/15E148 Safari/604.1`),
    deviceOf(`${tablet} ${blink} Safari/537.36`),
  ]).toEqual(['phone', 'phone', 'phone', 'tablet', 'tablet'])
  expect(['curl/8.5.0', ''].map(deviceOf)).toEqual([null, null])
})

test('only the first 512 bytes of a User-Agent are read', () => {
  expect(browserAndSystem(' '.repeat(480) + 'Firefox/127.0 (Windows NT 10.0)')).toBe(
    'Firefox / Windows',
  )
  expect(browserAndSystem('é'.repeat(256) + ' Firefox/127.0')).toBe('null / null')
})

const hostile = [
  'naver('.repeat(40) + '11.'.repeat(90),
  'NAVER('.repeat(20) + '1.1'.repeat(130),
  `archos ${'1'.repeat(505)}`,
  `archos ${'1 '.repeat(252)}`,
  'trident'.repeat(80),
  'version/1 mobile/'.repeat(40),
  'opera '.repeat(90),
  'bdada'.repeat(110),
]

test('a User-Agent designed to be slow to parse is parsed quickly', () => {
  // CPU time of this thread, which does not include waiting for a processor.
  const before = process.threadCpuUsage()
  // A different text each time, since results are cached.
  for (let at = 0; at < 100; at++) for (const text of hostile) browserOf(`${at} ${text}`)
  // Far from both: it takes 0.1 s, and would take 5 or 25 with either of the slow patterns.
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(2000)
})
