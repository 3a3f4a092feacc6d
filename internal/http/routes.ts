import { everyone, guests, users, verified } from './guards.ts'
import { cspReports } from './handlers/csp-reports.ts'
import { health } from './handlers/health.ts'
import { logIn, showLogin } from './handlers/login.ts'
import { logOut } from './handlers/logout.ts'
import { showDashboard, showHome } from './handlers/home.ts'
import { register, showRegister } from './handlers/register.ts'
import { showVerifyNotice } from './handlers/verify-email.ts'
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
  { method: 'GET',  name: 'verification.notice', who: users,    handler: showVerifyNotice },
]
