/** Messages about a passkey that was not made or used; loaded only with passkeys. */
export const passkeyFailures = {
  cancelled: 'No passkey was used or made: it was cancelled, or took too long. Try again.',
  there: 'This device or password manager has a passkey of your account already.',
  elsewhere: 'Passkeys do not work at this address. Open the service at its own address.',
  unable: 'This device cannot make a suitable passkey. Try another device or a password manager.',
  other: 'The browser could not use or make a passkey. Try again, or use another way.',
} as const
