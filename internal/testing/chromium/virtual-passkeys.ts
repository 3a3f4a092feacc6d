import type { CDPSession, Page } from 'playwright-core'

/** A passkey stored by the browser's authenticator. */
interface StoredPasskey {
  readonly credentialId: string
  readonly userName?: string
  readonly userDisplayName?: string
}

const platform = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

/**
 * Chromium's own virtual authenticator in a page, with a person who touches it at once. Only on `localhost` or over
 * HTTPS.
 */
export class VirtualPasskeys {
  readonly #session: CDPSession
  readonly #authenticatorId: string

  private constructor(session: CDPSession, authenticatorId: string) {
    this.#session = session
    this.#authenticatorId = authenticatorId
  }

  static async of(page: Page): Promise<VirtualPasskeys> {
    const session = await page.context().newCDPSession(page)
    await session.send('WebAuthn.enable', { enableUI: false })
    const added = await session.send('WebAuthn.addVirtualAuthenticator', { options: platform })
    return new VirtualPasskeys(session, added.authenticatorId)
  }

  /** Returns all stored passkeys. */
  async all(): Promise<readonly StoredPasskey[]> {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', this.#options())
    return credentials
  }

  /** Sets whether the person touches it when asked; otherwise a request waits. */
  async touch(enabled: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setAutomaticPresenceSimulation', {
      ...this.#options(),
      enabled,
    })
  }

  /** Sets whether the fingerprint or PIN is right; otherwise the browser reports a refusal. */
  async verify(isUserVerified: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setUserVerified', { ...this.#options(), isUserVerified })
  }

  #options() {
    return { authenticatorId: this.#authenticatorId }
  }
}
