import { titles } from '#words/titles/card'
import type { Group } from '../group.ts'
import CardLayout from '../layouts/card.svelte'
import ConfirmPassword from '../pages/Auth/ConfirmPassword.svelte'
import ForgotPassword from '../pages/Auth/ForgotPassword.svelte'
import Register from '../pages/Auth/Register.svelte'
import RegisterPasskey from '../pages/Auth/RegisterPasskey.svelte'
import ResetPassword from '../pages/Auth/ResetPassword.svelte'
import TwoFactorChallenge from '../pages/Auth/TwoFactorChallenge.svelte'
import VerifyEmail from '../pages/Auth/VerifyEmail.svelte'

export const group = {
  layout: CardLayout,
  pages: {
    'Auth/ConfirmPassword': ConfirmPassword,
    'Auth/ForgotPassword': ForgotPassword,
    'Auth/Register': Register,
    'Auth/RegisterPasskey': RegisterPasskey,
    'Auth/ResetPassword': ResetPassword,
    'Auth/TwoFactorChallenge': TwoFactorChallenge,
    'Auth/VerifyEmail': VerifyEmail,
  },
  titles,
} satisfies Group<'card'>
