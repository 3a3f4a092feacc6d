import * as limits from '../../limits.ts'

export const labels = {
  name: 'Name',
  email: 'Email',
  password: 'Password',
  confirmPassword: 'Confirm password',
  newPassword: 'New password',
  currentPassword: 'Current password',
  passwordHint: `At least ${limits.shortestPassword} characters. A few words in a row are easy to remember.`,
  remember: `Remember me for ${limits.rememberedDays} days`,
  code: 'Code',
  recoveryCode: 'Recovery code',
  showPassword: 'Show password',
} as const
