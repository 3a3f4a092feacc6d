/** The attributes of an input, by its content. */
export const inputAttributes: Readonly<Record<'text' | 'email' | 'password', object>> = {
  text: { type: 'text', dir: 'auto' },
  email: { type: 'email', autocapitalize: 'off', spellcheck: false },
  password: { type: 'password' },
}
