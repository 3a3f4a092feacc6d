import { everyone, guests, users, verified } from './guards.ts'
import { confirmPassword, showConfirmPassword } from './handlers/confirm-password.ts'
import { cspReports } from './handlers/csp-reports.ts'
import { sendResetLink, showForgotPassword } from './handlers/forgot-password.ts'
import { health } from './handlers/health.ts'
import { logIn, showLogin } from './handlers/login.ts'
import { logOut } from './handlers/logout.ts'
import { showDashboard, showHome } from './handlers/home.ts'
import { register, showRegister } from './handlers/register.ts'
import { setPassword, showResetPassword } from './handlers/reset-password.ts'
import { followVerification, sendVerification, showVerifyNotice } from './handlers/verify-email.ts'
import type { Route } from './router.ts'

/** Every route of the service (spec: Route table). Nothing else declares one. */
// oxfmt-ignore
export const routes: readonly Route[] = [
  { method: 'GET',  name: 'home',                who: everyone, handler: showHome },
  { method: 'GET',  name: 'up',                  who: everyone, handler: health },
  { method: 'POST', name: 'csp-reports',         who: everyone, handler: cspReports },
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
]
