/** Names of fields that are never stored: passwords, codes, and a form's own hidden fields (`_…`). */
export const secretField = /password|token|code|credential|^_/
