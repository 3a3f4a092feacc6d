/** Why a guard refused a request that wants JSON. */
export const guardWords = {
  users: 'Log in first.',
  verified: 'Verify your email first.',
  confirmed: 'Confirm that it is you first.',
} as const
