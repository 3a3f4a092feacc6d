import { titles } from '#words/titles/card'
import CardLayout from '../layouts/card.vue'
import ConfirmPassword from '../pages/Auth/ConfirmPassword.vue'
import ForgotPassword from '../pages/Auth/ForgotPassword.vue'
import Register from '../pages/Auth/Register.vue'
import RegisterPasskey from '../pages/Auth/RegisterPasskey.vue'
import ResetPassword from '../pages/Auth/ResetPassword.vue'
import TwoFactorChallenge from '../pages/Auth/TwoFactorChallenge.vue'
import VerifyEmail from '../pages/Auth/VerifyEmail.vue'
import type { Group } from '../group.ts'

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
