import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Bytes above which a part is compressed lightly, and above which it is not: they would hold up the build. */
const most = { best: 500_000, any: 10_000_000 }

/** Prints each part's size, as it is and compressed; what is sent to browsers as well as can be. */
export async function printSizes(parts: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const rows = await Promise.all([...parts].map(([name, content]) => row(name, content)))
  print(['', 'bytes', 'gzip', 'brotli'])
  rows.forEach(print)
}

async function row(name: string, content: Uint8Array): Promise<string[]> {
  const compressed = content.length > most.any ? [] : await compressedSizes(content)
  return [name, ...[content.length, ...compressed].map((size) => size.toLocaleString('en'))]
}

async function compressedSizes(content: Uint8Array): Promise<number[]> {
  const isBest = content.length <= most.best
  const params = { [constants.BROTLI_PARAM_QUALITY]: isBest ? 11 : 5 }
  const sizes = await Promise.all([
    promisify(gzip)(content, { level: isBest ? 9 : 6 }),
    promisify(brotliCompress)(content, { params }),
  ])
  return sizes.map(({ length }) => length)
}

function print([name = '', ...sizes]: string[]): void {
  console.log(name.padEnd(44) + sizes.map((size) => size.padStart(14)).join(''))
}
