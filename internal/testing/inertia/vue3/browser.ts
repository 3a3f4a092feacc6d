import { createInertiaApp } from '@inertiajs/vue3'
import { nonce, resolvedBy } from '../begin.ts'
import Any from './any.vue'
import Profile from './profile.vue'
import Register from './register.vue'

void createInertiaApp({
  nonce,
  resolve: resolvedBy({ 'Auth/Register': Register, 'Settings/Profile': Profile }, Any),
})
