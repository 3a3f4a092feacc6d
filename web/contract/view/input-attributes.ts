/** The attributes of an input, by what is typed into it. */
export const inputAttributes: Readonly<Record<'text' | 'email' | 'password', object>> = {
  text: { type: 'text', dir: 'auto' },
  email: { type: 'email', autocapitalize: 'off', spellcheck: false },
  password: { type: 'password' },
}
