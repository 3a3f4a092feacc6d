import { serverWords } from '../../../web/contract/words/server-words.ts'
import { Arrived } from '../arrived.ts'
import type { Caller } from '../../domain/tokens/check-token.ts'

/** A request of the API, which has no session. */
export class Call extends Arrived {
  /** The token that the call came with, and its user, once the call is counted against the token. */
  caller: Caller | undefined

  get sender() {
    const { id: user, tokenId: token } = this.caller?.token ?? {}
    return { user, token }
  }

  /** All that the API says is English: programs read it. */
  get words() {
    return serverWords.en
  }
}
