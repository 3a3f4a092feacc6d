/** What is wrong with a server's certificate: it is over, or not valid yet; of another name; or not trusted. */
export type CertificateFault = 'time' | 'name' | 'authority'

/** Returns undefined if a message of Node's is about no certificate; clients replace its error codes. */
export function certificateFault(message: string): CertificateFault | undefined {
  if (/certificate (?:has expired|is not yet valid)/i.test(message)) return 'time'
  if (/does not match certificate's altnames/i.test(message)) return 'name'
  return /certificate/i.test(message) ? 'authority' : undefined
}
