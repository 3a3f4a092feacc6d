import type { Ability } from './abilities.ts'
import type { Language } from './languages.ts'
import type { PasskeysSignal, UserSignal } from './signals.ts'
import type { CodesState, TwoFactor } from './two-factor.ts'

/** A user as pages see one (contract: JSON of a user). Times are ISO 8601 in UTC. */
export interface User {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly emailVerifiedAt: string | null
  /** Whether login takes a code. */
  readonly twoFactor: boolean
  /** Whether the account has a password. */
  readonly password: boolean
  /** A signed link to the photo. */
  readonly photo: string | null
}

/** What every page carries, error pages included (spec: Page delivery 2 and 3). */
export interface SharedProps {
  readonly auth: { readonly user: User | null }
  readonly bell: { readonly unread: number }
  /** One message a field; empty when there are none. */
  readonly errors: Readonly<Record<string, string>>
  /** What the page is in. */
  readonly language: Language
  /**
   * What was typed into a form that failed, for a browser without JavaScript, or into one that came too late for its
   * login; never a password. All that was chosen in a field that is sent more than once has spaces between.
   */
  readonly old?: Readonly<Record<string, string>>
  /** Of a guest whose login has ended without them, until the next one: what they typed is theirs still. */
  readonly ended?: true
}

/** The same of a page that nobody but a user comes to. */
export interface UserProps extends SharedProps {
  readonly auth: { readonly user: User }
}

/** Told once, on the next page (spec: Page delivery 4). */
export interface Flash {
  readonly success?: string
  readonly error?: string
  readonly recoveryCodes?: readonly string[]
  /** An API token that was just made, and its ID. */
  readonly token?: string
  readonly tokenId?: number
}

/** A mail that is on its way. It reads the same whether or not an account has the email. */
export interface MailSent {
  /** As it was typed. */
  readonly email: string
  /** What a form sends to have it sent again. */
  readonly fields: Readonly<Record<string, string>>
  /** What it is called; of two it is the one or the other. */
  readonly subjects: readonly string[]
  /** Who it comes from; null where no sender is set. */
  readonly from: { readonly name: string; readonly address: string } | null
  /** How long the throttle lets no other one be asked for; 0 when it does. */
  readonly seconds: number
  /** Until when that is by the server's clock, which tells one such wait from another. */
  readonly until: string
}

/** A form that has a mail sent. */
interface MailForm {
  /** In place of the form, once it was sent. */
  readonly sent?: MailSent
  /** What stands in the form at first, where it is to be sent to another address. */
  readonly typed?: Readonly<Record<string, string>>
}

/** Each page's own props, by component name. */
export interface Pages {
  Home: object
  /** `passkeys`: how many there are. */
  Dashboard: CodesState & { readonly passkeys: number }
  /**
   * `again`: the address, where asking once more may help. `reference`: the request's ID, which its lines of the log
   * tell too, where help may be asked for. `detail` is the failure's stack, with APP_DEBUG only.
   */
  Error: {
    /** 0 is said by the page client: there was no answer. */
    readonly status: number
    readonly message: string
    readonly again?: string
    readonly reference?: string
    readonly detail?: string
  }
  'Auth/Login': object
  'Auth/Register': MailForm & { readonly links?: AgreementLinks }
  'Auth/VerifyEmail': { readonly email: string; readonly sent: MailSent }
  'Auth/ForgotPassword': MailForm
  /** `valid`: whether the link still sets a password. */
  'Auth/ResetPassword': { readonly token: string; readonly email: string; readonly valid: boolean }
  /** `passkey`: whether the user has one. */
  'Auth/ConfirmPassword': { readonly passkey: boolean }
  'Auth/TwoFactorChallenge': object
  'Auth/RegisterPasskey': {
    readonly email: string
    readonly name: string
    readonly token: string
    readonly links?: AgreementLinks
  }
  /** `onlyUnread`: whether those that were read are left out. */
  Notifications: { readonly notifications: NotificationList; readonly onlyUnread: boolean }
  /** `passkey`: whether the user has one. `signal` tells browsers what the user is called now. */
  'Settings/Profile': { readonly passkey: boolean; readonly signal: UserSignal | null }
  'Settings/Security': {
    readonly logins: readonly BrowserLogin[]
    /** Whether there are more than these. */
    readonly moreLogins: boolean
    readonly passkeys: readonly Passkey[]
    readonly twoFactor: TwoFactor
    /** Only on a partial reload that names it. */
    readonly recoveryCodes?: readonly string[]
    /** How many API tokens there are, those that have expired too. */
    readonly apiTokens: number
    /** Tells browsers which passkeys are still good; null for a user who never had one. */
    readonly signal: PasskeysSignal | null
  }
  'Settings/Tokens': {
    readonly tokens: readonly ApiToken[]
    /** Those of them that have expired, by ID. */
    readonly expired: readonly number[]
    /** The choices. */
    readonly abilities: readonly Ability[]
    /** The whole address of the API's call that any token is tried with. */
    readonly tryAt: string
  }
  'Settings/Appearance': object
}

/** What is agreed to by creating an account: whole addresses, of what there is. */
export interface AgreementLinks {
  readonly terms?: string
  readonly privacy?: string
}

/** One of the browsers an account is logged in from. */
export interface BrowserLogin {
  /** Hex of the row's key. */
  readonly id: string
  /** `<browser> on <system>`. */
  readonly browser: string
  readonly address: string
  readonly loggedInAt: string
  readonly lastSeenAt: string
  /** Whether it is the browser that asks. */
  readonly current: boolean
  /** What it runs on; null when that is not known. */
  readonly device: Device | null
}

export type Device = 'desktop' | 'phone' | 'tablet'

export interface Passkey {
  readonly id: number
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** Who keeps it, such as `1Password`; null when that is not known. */
  readonly provider: string | null
  /** Whether it is on other devices of the user too. */
  readonly synced: boolean
}

/** What is kept of an API token; the token itself is not. */
export interface ApiToken {
  readonly id: number
  readonly name: string
  readonly abilities: readonly string[]
  /** null: never. */
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
  readonly createdAt: string
}

/** One page of a user's notifications, newest first. */
export type NotificationList = Paged<NotificationLine>

/** One page of a list. */
export interface Paged<Row> {
  readonly data: readonly Row[]
  /** From 1. */
  readonly page: number
  /** At least 1. */
  readonly pages: number
  /** How many there are on all pages. */
  readonly total: number
}

export interface NotificationLine {
  readonly id: number
  readonly kind: string
  /** In the reader's language, which `language` names (BCP 47). */
  readonly text: string
  readonly language: string
  /** Where something can be done about it; null of a kind that this version does not know. */
  readonly href: string | null
  /** Of a new login. */
  readonly address: string | null
  readonly createdAt: string
  readonly readAt: string | null
  /** Whether it was unread before it was shown here. */
  readonly unread: boolean
}

export type PageName = keyof Pages

/** The pages that nobody but a user comes to. */
export type UserPage =
  | 'Auth/ConfirmPassword'
  | 'Auth/VerifyEmail'
  | 'Dashboard'
  | 'Notifications'
  | Extract<PageName, `Settings/${string}`>

export type PageProps<Name extends PageName> = Pages[Name] &
  (Name extends UserPage ? UserProps : SharedProps)

/** What a page is drawn from: its props, and the flash for what it shows in place. */
export type Drawn<Name extends PageName> = PageProps<Name> & { readonly flash: Flash }

/** The page object of the page protocol (contract: Page protocol). */
export interface Page<Name extends PageName = PageName> {
  readonly component: Name
  readonly props: PageProps<Name>
  /** Path and query, as the address bar shows it. */
  readonly url: string
  /** The build that made the page. */
  readonly version: string
  readonly flash: Flash
  /** Whether kept history entries are sealed. */
  readonly encryptHistory: boolean
  /** Whether the entries kept so far are to be made unreadable. */
  readonly clearHistory: boolean
  /** When the client had it, in milliseconds of its clock; no server says so, nor the page of a document. */
  readonly answered?: number
}
