import type { Range } from '../../base/files/files.ts'

/**
 * The part of a file that a Range header asks for (RFC 9110, 14): `none` when the file has no such part; undefined when
 * the whole file is to be sent, as for several ranges and for a header that is not valid.
 */
export function rangeIn(header: string | undefined, size: number): Range | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header ?? '') ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'none' : { from: size - length, to: size - 1 }
  }
  const from = Number(first)
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < from) return undefined
  return from < size ? { from, to } : 'none'
}
