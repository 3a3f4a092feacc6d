import {
  confirmedUsers,
  confirmedVerified,
  everyone,
  guests,
  guestsToAsk,
  guestsToRegister,
  guestsToReset,
  users,
  verified,
  waiting,
} from './guards.ts'
import { showUser } from './handlers/api-user.ts'
import { streamEvents } from './handlers/broadcasts.ts'
import { cspReports } from './handlers/csp-reports.ts'
import { showDashboard } from './handlers/dashboard.ts'
import { sendFile } from './handlers/files.ts'
import { health } from './handlers/health.ts'
import { showHome } from './handlers/home.ts'
import { updateLanguage } from './handlers/language.ts'
import { showNotifications } from './handlers/notifications.ts'
import { describeApi } from './handlers/openapi.ts'
import { changePasswordPage, passkeyEndpoints } from './handlers/well-known.ts'
import {
  confirmPasskeyOptions,
  confirmPassword,
  showConfirmPassword,
} from './handlers/auth/confirm-password.ts'
import { sendResetLink, showForgotPassword } from './handlers/auth/forgot-password.ts'
import { logIn, showLogin } from './handlers/auth/login.ts'
import { logOut } from './handlers/auth/logout.ts'
import { logInPasskey, passkeyLoginOptions } from './handlers/auth/passkey-login.ts'
import {
  askRegistration,
  registerWithPasskey,
  registrationOptions,
  showRegisterPasskey,
} from './handlers/auth/register-passkey.ts'
import { register, showRegister } from './handlers/auth/register.ts'
import { setPassword, showResetPassword } from './handlers/auth/reset-password.ts'
import { answerChallenge, showChallenge } from './handlers/auth/two-factor-challenge.ts'
import {
  followVerification,
  sendVerification,
  showVerifyNotice,
} from './handlers/auth/verify-email.ts'
import { showAppearance } from './handlers/settings/appearance.ts'
import { logOutOne, logOutOthers } from './handlers/settings/logins.ts'
import {
  addOptions,
  addPasskey,
  removePasskey,
  renamePasskey,
} from './handlers/settings/passkeys.ts'
import { changePassword, removePassword } from './handlers/settings/password.ts'
import { destroyPhoto, updatePhoto } from './handlers/settings/photo.ts'
import { deleteAccount, saveProfile, showProfile } from './handlers/settings/profile.ts'
import { showSecurity } from './handlers/settings/security.ts'
import { showSettings } from './handlers/settings/settings.ts'
import { storeToken, revokeToken, showTokens } from './handlers/settings/tokens.ts'
import {
  confirmTwoFactor,
  newRecoveryCodes,
  savedRecoveryCodes,
  setUpTwoFactor,
  turnOffTwoFactor,
} from './handlers/settings/two-factor.ts'
import { passkeysPage, resetPage } from './form/own-page.ts'
import type { ApiRoute, Route } from './router.ts'

/** Every route of the service except the API's (spec: Route table). Routes are declared in this file only. */
// oxfmt-ignore
export const routes: readonly Route[] = [
  { method: 'GET',    name: 'home',                             who: everyone,          handler: showHome },
  { method: 'GET',    name: 'up',                               who: everyone,          handler: health, unasked: true },
  { method: 'GET',    name: 'change-password',                  who: everyone,          handler: changePasswordPage },
  { method: 'GET',    name: 'passkey-endpoints',                who: everyone,          handler: passkeyEndpoints, unasked: true },
  { method: 'POST',   name: 'csp-reports',                      who: everyone,          handler: cspReports, unasked: true, body: 'report' },
  { method: 'GET',    name: 'broadcasts',                       who: users,             handler: streamEvents, unasked: true },
  { method: 'GET',    name: 'files',                            who: everyone,          handler: sendFile, unasked: true },
  { method: 'GET',    name: 'dashboard',                        who: verified,          handler: showDashboard },
  { method: 'GET',    name: 'notifications.index',              who: users,             handler: showNotifications },
  { method: 'GET',    name: 'register',                         who: guests,            handler: showRegister },
  { method: 'POST',   name: 'register.store',                   who: guests,            handler: register },
  { method: 'POST',   name: 'register.passkey',                 who: guests,            handler: askRegistration, page: 'register' },
  { method: 'GET',    name: 'register.passkey.create',          who: guestsToRegister,  handler: showRegisterPasskey },
  { method: 'POST',   name: 'register.passkey.store',           who: guests,            handler: registerWithPasskey },
  { method: 'POST',   name: 'register.passkey.options',         who: guests,            handler: registrationOptions },
  { method: 'GET',    name: 'login',                            who: guests,            handler: showLogin },
  { method: 'POST',   name: 'login.store',                      who: guests,            handler: logIn },
  { method: 'GET',    name: 'two-factor.login',                 who: waiting,           handler: showChallenge },
  { method: 'POST',   name: 'two-factor.login.store',           who: waiting,           handler: answerChallenge },
  { method: 'POST',   name: 'login.passkey.options',            who: guests,            handler: passkeyLoginOptions },
  { method: 'POST',   name: 'login.passkey.store',              who: guests,            handler: logInPasskey, page: 'login' },
  { method: 'POST',   name: 'logout',                           who: users,             handler: logOut },
  { method: 'GET',    name: 'password.request',                 who: guestsToAsk,       handler: showForgotPassword },
  { method: 'POST',   name: 'password.email',                   who: guests,            handler: sendResetLink },
  { method: 'GET',    name: 'password.reset',                   who: guestsToReset,     handler: showResetPassword },
  { method: 'POST',   name: 'password.store',                   who: guestsToReset,     handler: setPassword, page: resetPage },
  { method: 'GET',    name: 'password.confirm',                 who: users,             handler: showConfirmPassword },
  { method: 'POST',   name: 'password.confirm.store',           who: users,             handler: confirmPassword },
  { method: 'POST',   name: 'password.confirm.passkey.options', who: users,             handler: confirmPasskeyOptions },
  { method: 'GET',    name: 'verification.notice',              who: users,             handler: showVerifyNotice },
  { method: 'POST',   name: 'verification.send',                who: users,             handler: sendVerification },
  { method: 'GET',    name: 'verification.verify',              who: everyone,          handler: followVerification },
  { method: 'GET',    name: 'settings',                         who: everyone,          handler: showSettings },
  { method: 'GET',    name: 'profile.edit',                     who: confirmedUsers,    handler: showProfile },
  { method: 'PATCH',  name: 'profile.update',                   who: confirmedUsers,    handler: saveProfile },
  { method: 'DELETE', name: 'profile.destroy',                  who: confirmedUsers,    handler: deleteAccount },
  { method: 'GET',    name: 'security.edit',                    who: confirmedVerified, handler: showSecurity },
  { method: 'DELETE', name: 'logins.destroy',                   who: confirmedVerified, handler: logOutOne, page: 'security.edit' },
  { method: 'DELETE', name: 'logins.destroy-others',            who: confirmedVerified, handler: logOutOthers, page: 'security.edit' },
  { method: 'PUT',    name: 'user-password.update',             who: confirmedVerified, handler: changePassword, page: 'security.edit' },
  { method: 'DELETE', name: 'user-password.destroy',            who: confirmedVerified, handler: removePassword, page: 'security.edit' },
  { method: 'POST',   name: 'two-factor.enable',                who: confirmedVerified, handler: setUpTwoFactor, page: 'security.edit' },
  { method: 'POST',   name: 'two-factor.confirm',               who: confirmedVerified, handler: confirmTwoFactor, page: 'security.edit' },
  { method: 'POST',   name: 'two-factor.recovery-codes',        who: confirmedVerified, handler: newRecoveryCodes, page: 'security.edit' },
  { method: 'POST',   name: 'two-factor.recovery-codes.saved',  who: confirmedVerified, handler: savedRecoveryCodes, page: 'security.edit' },
  { method: 'DELETE', name: 'two-factor.disable',               who: confirmedVerified, handler: turnOffTwoFactor, page: 'security.edit' },
  { method: 'POST',   name: 'passkeys.options',                 who: confirmedUsers,    handler: addOptions },
  { method: 'POST',   name: 'passkeys.store',                   who: confirmedUsers,    handler: addPasskey, page: passkeysPage },
  { method: 'PATCH',  name: 'passkeys.update',                  who: confirmedUsers,    handler: renamePasskey, page: passkeysPage },
  { method: 'DELETE', name: 'passkeys.destroy',                 who: confirmedUsers,    handler: removePasskey, page: passkeysPage },
  { method: 'GET',    name: 'tokens.index',                     who: confirmedUsers,    handler: showTokens },
  { method: 'POST',   name: 'tokens.store',                     who: confirmedUsers,    handler: storeToken },
  { method: 'DELETE', name: 'tokens.destroy',                   who: confirmedUsers,    handler: revokeToken, page: 'tokens.index' },
  { method: 'GET',    name: 'appearance.edit',                  who: users,             handler: showAppearance },
  { method: 'PUT',    name: 'language.update',                  who: everyone,          handler: updateLanguage },
  { method: 'POST',   name: 'profile.photo.update',             who: confirmedUsers,    handler: updatePhoto, body: 'upload', page: 'profile.edit' },
  { method: 'DELETE', name: 'profile.photo.destroy',            who: confirmedUsers,    handler: destroyPhoto, page: 'profile.edit' },
]

/** Every route of the API, with the ability its token needs; null takes no token (spec: JSON API). */
// oxfmt-ignore
export const apiRoutes: readonly ApiRoute[] = [
  { method: 'GET', name: 'api.user',    ability: 'user:read', handler: showUser },
  { method: 'GET', name: 'api.openapi', ability: null,        handler: (c) => describeApi(c, apiRoutes) },
]
