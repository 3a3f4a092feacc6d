/** Tells a password manager whose password is asked for. */
export function AccountName({ email }: { email: string | undefined }) {
  return (
    <input
      class="visually-hidden"
      type="email"
      autocomplete="username"
      defaultValue={email}
      readOnly
      tabIndex={-1}
      aria-hidden="true"
    />
  )
}
