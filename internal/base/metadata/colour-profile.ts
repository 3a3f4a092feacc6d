/** Returns whether bytes begin a colour profile, by its signature at byte 36 (ICC.1, 7.2.12). */
export function isProfile(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(36, 40)).toString('latin1') === 'acsp'
}
