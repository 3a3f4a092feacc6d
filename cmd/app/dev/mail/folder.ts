/** Where the mails are, from the project's folder. It is excluded from version control. */
export const mailFolder = '.mail'
