/** The names of fields whose values are kept nowhere: passwords, codes, and the form's own hidden fields (`_…`). */
export const secretField = /password|token|code|credential|^_/
