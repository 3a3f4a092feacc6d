import { createInertiaApp } from '@inertiajs/vue3'
import { nonce, componentResolver } from '../begin.ts'
import Any from './any.vue'
import Profile from './profile.vue'
import Register from './register.vue'

void createInertiaApp({
  nonce,
  resolve: componentResolver({ 'Auth/Register': Register, 'Settings/Profile': Profile }, Any),
})
