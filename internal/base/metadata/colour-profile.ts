/** Whether bytes begin a profile of colours: at byte 36 each says that it is one (ICC.1, 7.2.12). */
export function isProfile(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(36, 40)).toString('latin1') === 'acsp'
}
