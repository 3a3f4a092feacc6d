import { confirmedUsers, confirmedVerified, everyone, guests, users, verified } from './guards.ts'
import { showAppearance } from './handlers/appearance.ts'
import { streamEvents } from './handlers/broadcasts.ts'
import { confirmPassword, showConfirmPassword } from './handlers/confirm-password.ts'
import { cspReports } from './handlers/csp-reports.ts'
import { sendResetLink, showForgotPassword } from './handlers/forgot-password.ts'
import { health } from './handlers/health.ts'
import { logIn, showLogin } from './handlers/login.ts'
import { logOut } from './handlers/logout.ts'
import { showDashboard, showHome } from './handlers/home.ts'
import { changePassword, removePassword } from './handlers/password.ts'
import { deleteAccount, saveProfile, showProfile } from './handlers/profile.ts'
import { logOutOne, logOutOthers } from './handlers/logins.ts'
import { showNotifications } from './handlers/notifications.ts'
import { register, showRegister } from './handlers/register.ts'
import { setPassword, showResetPassword } from './handlers/reset-password.ts'
import { showSecurity } from './handlers/security.ts'
import { showSettings } from './handlers/settings.ts'
import { followVerification, sendVerification, showVerifyNotice } from './handlers/verify-email.ts'
import { sendFile } from './handlers/files.ts'
import { destroyPhoto, updatePhoto } from './handlers/photo.ts'
import type { Route } from './router.ts'

/** Every route of the service (spec: Route table). Nothing else declares one. */
// oxfmt-ignore
export const routes: readonly Route[] = [
  { method: 'GET',  name: 'home',                who: everyone, handler: showHome },
  { method: 'GET',  name: 'up',                  who: everyone, handler: health },
  { method: 'GET',  name: 'broadcasts',          who: users,    handler: streamEvents, unasked: true },
  { method: 'POST', name: 'csp-reports',         who: everyone, handler: cspReports },
  { method: 'GET',  name: 'files',               who: everyone, handler: sendFile, unasked: true },
  { method: 'GET',  name: 'dashboard',           who: verified, handler: showDashboard },
  { method: 'GET',  name: 'register',            who: guests,   handler: showRegister },
  { method: 'POST', name: 'register.store',      who: guests,   handler: register },
  { method: 'GET',  name: 'login',               who: guests,   handler: showLogin },
  { method: 'POST', name: 'login.store',         who: guests,   handler: logIn },
  { method: 'POST', name: 'logout',              who: users,    handler: logOut },
  { method: 'GET',  name: 'password.request',    who: guests,   handler: showForgotPassword },
  { method: 'POST', name: 'password.email',      who: guests,   handler: sendResetLink },
  { method: 'GET',  name: 'password.reset',      who: guests,   handler: showResetPassword },
  { method: 'POST', name: 'password.store',      who: guests,   handler: setPassword },
  { method: 'GET',  name: 'password.confirm',    who: users,    handler: showConfirmPassword },
  { method: 'POST', name: 'password.confirm.store', who: users, handler: confirmPassword },
  { method: 'GET',  name: 'verification.notice', who: users,    handler: showVerifyNotice },
  { method: 'POST', name: 'verification.send',   who: users,    handler: sendVerification },
  { method: 'GET',  name: 'verification.verify', who: everyone, handler: followVerification },
  { method: 'GET',    name: 'notifications.index',   who: users,             handler: showNotifications },
  { method: 'GET',    name: 'settings',              who: everyone,          handler: showSettings },
  { method: 'GET',    name: 'profile.edit',          who: confirmedUsers,    handler: showProfile },
  { method: 'PATCH',  name: 'profile.update',        who: confirmedUsers,    handler: saveProfile },
  { method: 'DELETE', name: 'profile.destroy',       who: confirmedUsers,    handler: deleteAccount },
  { method: 'GET',    name: 'security.edit',         who: confirmedVerified, handler: showSecurity },
  { method: 'DELETE', name: 'logins.destroy',        who: confirmedVerified, handler: logOutOne },
  { method: 'DELETE', name: 'logins.destroy-others', who: confirmedVerified, handler: logOutOthers },
  { method: 'PUT',    name: 'user-password.update',  who: confirmedVerified, handler: changePassword },
  { method: 'DELETE', name: 'user-password.destroy', who: confirmedVerified, handler: removePassword },
  { method: 'GET',    name: 'appearance.edit',       who: users,             handler: showAppearance },
  { method: 'POST',   name: 'profile.photo.update',  who: confirmedUsers, handler: updatePhoto, upload: true },
  { method: 'DELETE', name: 'profile.photo.destroy', who: confirmedUsers, handler: destroyPhoto },
]
