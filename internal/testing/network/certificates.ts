// @peculiar/x509 requires it.
// oxlint-disable-next-line import/no-unassigned-import
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

/** A certificate authority. */
export interface Authority {
  /** The path of the authority's own certificate. */
  readonly file: string
  readonly certificate: X509Certificate
  readonly keys: CryptoKeyPair
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** Creates an authority, with its certificate in a folder. */
export async function authorityIn(folder: string, name: string): Promise<Authority> {
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  })
  const file = join(folder, `${name}.crt`)
  writeFileSync(file, certificate.toString('pem'))
  return { file, certificate, keys }
}

/** Returns the certificate, signed by an authority, of a server at localhost and at no address. */
export async function serverCertificate(
  authority: Authority,
  notAfter = new Date(Date.now() + 24 * 60 * 60 * 1000),
): Promise<{ certificate: string; key: string }> {
  const keys = await newKeys()
  const certificate = await X509CertificateGenerator.create({
    subject: 'CN=localhost',
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: algorithm,
    notBefore: new Date(notAfter.getTime() - 48 * 60 * 60 * 1000),
    notAfter,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }])],
  })
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { certificate: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') }
}

function newKeys(): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>
}
