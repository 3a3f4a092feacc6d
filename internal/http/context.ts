import { isLanguage, type Language } from '../../web/contract/languages.ts'
import { serverWords, type ServerWords } from '../../web/contract/words/server-words.ts'
import { Arrived } from './arrived.ts'
import type { Answer } from './answer.ts'
import { nameOf } from './session/replaced-cookies.ts'
import { emptySession, type Session } from './session/session.ts'
import type { Visitor } from '../domain/logins/check-login.ts'
import type { Fields } from './body/fields.ts'
import { type Opened, unopened } from './session/session-store.ts'
import type { Browser } from '../domain/logins/make-login.ts'

/** What came of a press: its answer, with all cookies but the session's, and what it made of the session. */
export interface Done {
  readonly answer: Answer
  readonly before: Session
  readonly after: Session
}

/** A request of a browser, which has a session: what a guard and a handler are given. */
export class Context extends Arrived {
  session: Session = emptySession
  /** The session as it came; undefined when it was not needed, or could not be read. */
  opened: Opened | undefined
  /** The fields of the form that came, once it is read. */
  fields: Fields | undefined
  /** The page of the request: its own URL for a GET, the page that the form is on for a form; undefined for none. */
  ownPage: string | undefined
  /** Whether the answer leaves the session alone: it would undo what another request may have put in its place. */
  keepsCookie = false
  /** Whether the document shows a guest what became of a form. */
  showsForm = false
  /** Whether the request was refused: the same press is tried again then, and not answered from memory. */
  isRefused = false
  /** To be called with what came of the press, with nothing if nothing was done; undefined where this is no press. */
  settlePress: ((done?: Done) => void) | undefined
  visitor: Visitor | undefined
  /** What the person has just chosen. */
  chosenLanguage: Language | undefined
  /** Why the user could not be looked up; the page is then shown as for a guest, unless it is for users. */
  failure: unknown

  /** The language that the person chose: just now, for the account, or in this browser. */
  get languageOfChoice(): Language | undefined {
    const ofUser = this.visitor?.user.language
    return this.chosenLanguage ?? (isLanguage(ofUser) ? ofUser : this.languageInCookie)
  }

  /** What the person reads: what they chose, else what this browser asks for. */
  get language(): Language {
    return this.languageOfChoice ?? this.browserLanguage
  }

  get words(): ServerWords {
    return serverWords[this.language]
  }

  /** The browser, with the name of the session cookie that it came with. */
  override get browser(): Browser {
    return { ...super.browser, cameWith: nameOf(this.opened ?? unopened) }
  }

  // Without this type TypeScript finds this class no narrower than Arrived, where a form has rules of both.
  get sender(): Arrived['sender'] {
    return { user: this.visitor?.user.id }
  }
}

/** The context of somebody who is logged in: what the handler of a route for users is given. */
export type UserContext = Context & { readonly visitor: Visitor }
