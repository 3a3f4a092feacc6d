import { expect, test } from 'vitest'
import { brotliWithNonce } from './nonce-exchanged.ts'

test('the buffer of a cached document is no larger than its bytes', async () => {
  const nonce = 'bm9uY2Ugb2YgMTYgYg=='
  const made = await brotliWithNonce(`<script nonce="${nonce}"></script>`, nonce)
  expect(made?.bytes.buffer.byteLength).toBe(made?.bytes.length)
  expect(made?.bytes.length).toBeGreaterThan(nonce.length)
})
