import '../../../internal/base/program/threads.ts'
import { folderMailer } from '../../../internal/base/mailer/folder-mailer.ts'
import { explainError } from '../explain-error.ts'
import { serve } from '../serve/serve.ts'
import { mailFolder } from './mail/folder.ts'

// The entry point that the development runner starts instead of main.ts: the same server, with a mailbox if no mail
// server is set.
try {
  process.exitCode = await serve({ mailbox: folderMailer(mailFolder, console.log) })
} catch (error) {
  const { message, exitCode } = explainError(error)
  process.stderr.write(`${message}\n`)
  process.exitCode = exitCode
}
