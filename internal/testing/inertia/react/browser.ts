import { createInertiaApp } from '@inertiajs/react'
import { nonce, resolvedBy } from '../begin.ts'
import { Any, Profile, Register } from './pages.tsx'

void createInertiaApp({
  nonce,
  resolve: resolvedBy({ 'Auth/Register': Register, 'Settings/Profile': Profile }, Any),
})
