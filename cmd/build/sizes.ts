import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Prints each part's size, as it is and compressed. Big ones are compressed lightly: they would take minutes. */
export async function printSizes(parts: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const rows = await Promise.all([...parts].map(([name, content]) => row(name, content)))
  print(['', 'bytes', 'gzip', 'brotli'])
  rows.forEach(print)
}

async function row(name: string, content: Uint8Array): Promise<string[]> {
  const big = content.length > 4_000_000
  const params = { [constants.BROTLI_PARAM_QUALITY]: big ? 1 : 11 }
  const sizes = await Promise.all([
    promisify(gzip)(content, { level: big ? 1 : 9 }),
    promisify(brotliCompress)(content, { params }),
  ])
  return [name, ...[content, ...sizes].map(({ length }) => length.toLocaleString('en'))]
}

function print([name = '', ...sizes]: string[]): void {
  console.log(name.padEnd(44) + sizes.map((size) => size.padStart(14)).join(''))
}
