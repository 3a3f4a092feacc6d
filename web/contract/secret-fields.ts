/** The names of fields whose values are kept nowhere: passwords, codes, and what is the form's own. */
export const secretField = /password|token|code|credential|^_/
