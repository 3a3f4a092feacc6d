import { createInertiaApp } from '@inertiajs/svelte'
import { nonce, componentResolver } from '../begin.ts'
// It takes modules, which may also name a layout.
import * as Any from './any.svelte'
import * as Profile from './profile.svelte'
import * as Register from './register.svelte'

void createInertiaApp({
  nonce,
  resolve: componentResolver<object>(
    { 'Auth/Register': Register, 'Settings/Profile': Profile },
    Any,
  ),
})
