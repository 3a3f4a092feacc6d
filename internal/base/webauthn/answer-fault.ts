/** Why the answer of a passkey was refused, for the log and for the words that a person reads. */
export type AnswerFault =
  /** The answer is not what a browser sends. */
  | 'malformed'
  /** No challenge is stored, or another one was answered. */
  | 'challenge'
  /** The answer is of the other ceremony: a creation instead of a login, or a login instead of a creation. */
  | 'ceremony'
  | 'origin'
  /** The answer was made in a frame inside a page of another site. */
  | 'cross-origin'
  /** The passkey is bound to another domain. */
  | 'domain'
  /** Nobody touched the authenticator. */
  | 'presence'
  /** The authenticator did not verify the person. */
  | 'verification'
  /** The passkey is backed up without being eligible for backup, or its eligibility changed. */
  | 'backup'
  /** The credential ID is too short, too long, or not the same in all places. */
  | 'credential'
  | 'key'
  /** The answer names another user, or none. */
  | 'handle'
  | 'signature'
  /** The signature counter did not advance: the passkey was copied. */
  | 'count'
  /** The answer passed all checks of ours, but not those of the library. */
  | 'library'
