import { titles } from '#words/titles/card'
import { CardLayout } from '../layouts/card.tsx'
import { ConfirmPassword } from '../pages/Auth/ConfirmPassword.tsx'
import { ForgotPassword } from '../pages/Auth/ForgotPassword.tsx'
import { Register } from '../pages/Auth/Register.tsx'
import { RegisterPasskey } from '../pages/Auth/RegisterPasskey.tsx'
import { ResetPassword } from '../pages/Auth/ResetPassword.tsx'
import { TwoFactorChallenge } from '../pages/Auth/TwoFactorChallenge.tsx'
import { VerifyEmail } from '../pages/Auth/VerifyEmail.tsx'
import type { Group } from '../view.tsx'

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
