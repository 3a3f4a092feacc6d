/** Why the answer of a passkey was refused, for the log and for the words that a person reads. */
export type AnswerFault =
  /** It is not what a browser sends. */
  | 'malformed'
  /** None is stored, or another one was answered. */
  | 'challenge'
  /** It was made for the other ceremony: a creation for a login, or a login for a creation. */
  | 'ceremony'
  | 'origin'
  /** It was given inside a page of another site. */
  | 'cross-origin'
  /** It is bound to another domain. */
  | 'domain'
  /** Nobody touched the authenticator. */
  | 'presence'
  /** The authenticator did not verify who it is. */
  | 'verification'
  /** It is backed up without being eligible for it, or its eligibility changed. */
  | 'backup'
  /** Its credential ID is too short, too long, or not the same in all places. */
  | 'credential'
  | 'key'
  /** It names another user, or none. */
  | 'handle'
  | 'signature'
  /** The count did not advance: the passkey was copied. */
  | 'count'
  /** It passed every check of ours, and not those of the library. */
  | 'library'
