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

/** Props of every page, error pages included (spec: Page delivery 2 and 3). */
export interface SharedProps {
  readonly auth: { readonly user: User | null }
  readonly bell: { readonly unread: number }
  /** One message a field; empty when there are none. */
  readonly errors: Readonly<Record<string, string>>
  /** The language of the page. */
  readonly language: Language
  /**
   * What was typed into a form that failed, for a browser without JavaScript, or into one that was turned away until
   * the user logs in or confirms who they are; never a password. Several values of one field are joined by spaces.
   */
  readonly old?: Readonly<Record<string, string>>
  /** Set for a guest whose login has ended without a logout, until the next login: what they typed is kept for them. */
  readonly ended?: true
}

/** Props of every page that only users see. */
export interface UserProps extends SharedProps {
  readonly auth: { readonly user: User }
}

/** What the next page says, once (spec: Page delivery 4). */
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
  /** The fields of the form that has the mail sent again. */
  readonly fields: Readonly<Record<string, string>>
  /** The mail's subject. Two where the mail may have either, so that the page does not tell which. */
  readonly subjects: readonly string[]
  /** The sender; null where none is set. */
  readonly from: { readonly name: string; readonly address: string } | null
  /** How long the throttle refuses another mail; 0 when it does not. */
  readonly seconds: number
  /** When that wait ends, by the server's clock. The client knows by it whether a wait is a new one. */
  readonly until: string
}

/** A form that has a mail sent. */
interface MailForm {
  /** Shown in place of the form, once the mail was sent. */
  readonly sent?: MailSent
  /** What the form's fields hold at first, when the person wants the mail sent to another address. */
  readonly typed?: Readonly<Record<string, string>>
}

/** Each page's own props, by component name. */
export interface Pages {
  Home: object
  /** `passkeys`: how many there are. */
  Dashboard: CodesState & { readonly passkeys: number }
  /**
   * `again`: the address of the request, if asking once more may help. `reference`: the request's ID, by which its
   * lines in the log are found, if the person may want to ask for help. `detail`: the error's stack, with APP_DEBUG
   * only.
   */
  Error: {
    /** The HTTP status; 0 when the page client itself made the page, since there was no answer. */
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
  /** `onlyUnread`: whether the list leaves out notifications that were read. */
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
    /** The IDs of the tokens that have expired. */
    readonly expired: readonly number[]
    /** The abilities that a new token can have. */
    readonly abilities: readonly Ability[]
    /** The full address of the API call by which people try a token. */
    readonly tryAt: string
  }
  'Settings/Appearance': object
}

/** What people agree to by creating an account: full addresses, absent where the settings name none. */
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
  /** Whether this is the browser that the page is shown in. */
  readonly current: boolean
  /** The kind of device that the browser runs on; null when that is not known. */
  readonly device: Device | null
}

export type Device = 'desktop' | 'phone' | 'tablet'

export interface Passkey {
  readonly id: number
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
  /** The password manager that keeps the passkey, such as `1Password`; null when that is not known. */
  readonly provider: string | null
  /** Whether the passkey is synced, and so on other devices of the user too. */
  readonly synced: boolean
}

/** An API token as a list shows it: the token itself is not kept. */
export interface ApiToken {
  readonly id: number
  readonly name: string
  readonly abilities: readonly string[]
  /** null: the token does not expire. */
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
  /** The number of rows on all pages together. */
  readonly total: number
}

export interface NotificationLine {
  readonly id: number
  readonly kind: string
  /** In the reader's language, which `language` names (BCP 47). */
  readonly text: string
  readonly language: string
  /** The page where something can be done about it; null for a kind that this version does not know. */
  readonly href: string | null
  /** The IP address of a new login; null for other kinds. */
  readonly address: string | null
  readonly createdAt: string
  readonly readAt: string | null
  /** Whether it was unread before it was shown here. */
  readonly unread: boolean
}

export type PageName = keyof Pages

/** The pages that only users see. */
export type UserPage =
  | 'Auth/ConfirmPassword'
  | 'Auth/VerifyEmail'
  | 'Dashboard'
  | 'Notifications'
  | Extract<PageName, `Settings/${string}`>

export type PageProps<Name extends PageName> = Pages[Name] &
  (Name extends UserPage ? UserProps : SharedProps)

/** What a page is drawn from: its props, and the flash, some of which stands in the page and not in a toast. */
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
  /** When the client received the page, in milliseconds of its clock. The page in a document has none. */
  readonly answered?: number
}
