import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Bytes: up to `best` a part is compressed at the highest quality, up to `any` quickly, and above that not at all. */
const limits = { best: 500_000, any: 10_000_000 }

/** Prints each part's size, plain and compressed. */
export async function printSizes(parts: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const rows = await Promise.all([...parts].map(([name, content]) => cellsOf(name, content)))
  printRow(['', 'bytes', 'gzip', 'brotli'])
  rows.forEach(printRow)
}

async function cellsOf(name: string, content: Uint8Array): Promise<string[]> {
  const compressed = content.length > limits.any ? [] : await compressedSizes(content)
  return [name, ...[content.length, ...compressed].map((size) => size.toLocaleString('en'))]
}

async function compressedSizes(content: Uint8Array): Promise<number[]> {
  const isBest = content.length <= limits.best
  const params = { [constants.BROTLI_PARAM_QUALITY]: isBest ? 11 : 5 }
  const sizes = await Promise.all([
    promisify(gzip)(content, { level: isBest ? 9 : 6 }),
    promisify(brotliCompress)(content, { params }),
  ])
  return sizes.map(({ length }) => length)
}

function printRow([name = '', ...sizes]: string[]): void {
  console.log(name.padEnd(44) + sizes.map((size) => size.padStart(14)).join(''))
}
