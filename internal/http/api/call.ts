import { serverWords } from '../../../web/contract/words/server-words.ts'
import { Arrived } from '../arrived.ts'
import type { Caller } from '../../domain/tokens/check-token.ts'

/** A request of the API, which has no session. */
export class Call extends Arrived {
  /** The call's token and its user, once the call is counted against the token. */
  caller: Caller | undefined

  get sender() {
    const { id: user, tokenId: token } = this.caller?.token ?? {}
    return { user, token }
  }

  /** The API answers in English only: programs read it. */
  get words() {
    return serverWords.en
  }
}
