/** How much there may be of a thing (spec: Limits). Rules of the server, words and pages take it from here. */

/** Characters, counted as code points; names of passkeys and API tokens too. */
export const longestName = 200
export const longestEmail = 254
export const shortestPassword = 8
export const longestPassword = 200

/** Safari and password managers read it from a field when they make a password. */
export const passwordRules = `minlength: ${shortestPassword}; maxlength: ${longestPassword};`

export const photoMegabytes = 2
/** Bytes of a photo. */
export const largestPhoto = photoMegabytes * 1024 * 1024
/** Pixels a side. */
export const widestPhoto = 8192

/** Of an account. */
export const mostPasskeys = 10
/** Far more than anybody needs, so that no account grows a list that takes long to show. */
export const mostTokens = 500
/** Event streams of a user that are open at once on one server. */
export const mostStreams = 10

/** How many days a token is good. */
export const tokenDays = { '30': 30, '365': 365, never: undefined } as const

export type TokenExpiry = keyof typeof tokenDays

/** Browsers beside one's own that the security page lists: whoever has a script log in by the thousand has not each drawn. */
export const mostLogins = 100

/** So far are unread notifications counted: from as many on the bell says only that there are more than it shows. */
export const mostUnread = 100

/** Notifications that a page of them lists. */
export const notificationsAPage = 20

/** When no more recovery codes than these are left, people are asked to make new ones. */
export const fewCodes = 2

/** Digits of a code of an authenticator app. */
export const codeDigits = 6

export const rememberedDays = 30
export const notificationDays = 90
