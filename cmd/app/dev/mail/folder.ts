/** The folder of the mails, relative to the project's. It is excluded from version control. */
export const mailFolder = '.mail'
