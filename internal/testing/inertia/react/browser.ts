import { createInertiaApp } from '@inertiajs/react'
import { nonce, componentResolver } from '../begin.ts'
import { Any, Profile, Register } from './pages.tsx'

void createInertiaApp({
  nonce,
  resolve: componentResolver({ 'Auth/Register': Register, 'Settings/Profile': Profile }, Any),
})
