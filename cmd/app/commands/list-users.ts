import { setImmediate as nextTurn } from 'node:timers/promises'
import { appName } from '../../../web/contract/name.ts'
import { escapeControls } from '../../../internal/base/text/escape.ts'
import { type Listed, listAccounts } from '../../../internal/domain/accounts/list-accounts.ts'
import { withDatabase } from './with-database.ts'
import { throwIfUnwritten } from './standard-output.ts'
import { drawTable, shorten, formatTime } from '../table.ts'

export interface ListOptions {
  readonly json: boolean
  readonly all: boolean
  readonly search?: string
}

const defaultLimit = 100

/** Lists users, newest first; works beside a running server. Reports on stderr if some were left out. */
export async function listUsers({ json, all, search }: ListOptions): Promise<number> {
  const list = json ? jsonList() : tableList()
  let writeError: Error | undefined
  process.stdout.once('error', (error) => (writeError = error))
  const isComplete = await withDatabase(async (db) => {
    let remaining = all ? Infinity : defaultLimit
    for await (const users of listAccounts(db, search)) {
      list.add(users.slice(0, remaining))
      if (users.length > remaining) return false
      remaining -= users.length
      // Lets errors of standard output surface: reading from the database may never yield to the event loop.
      await nextTurn()
      if (writeError) return true
    }
    return true
  })
  list.end(search)
  await nextTurn()
  throwIfUnwritten('The list', writeError)
  if (!isComplete) console.error(omittedNote)
  return 0
}

const omittedNote = `These are the newest ${defaultLimit}. \`${appName} users list --all\` lists all, \`--search <text>\` those with a text in name or email.`

interface ListPrinter {
  add(users: readonly Listed[]): void
  end(search: string | undefined): void
}

/** Streams an array with one line per user, so that a million of them are never in memory at once. */
function jsonList(): ListPrinter {
  let hasBegun = false
  return {
    add(users) {
      if (users.length === 0) return
      const lines = users.map((user) => escapeControls(JSON.stringify(user)))
      console.log(`${hasBegun ? ',' : '['}${lines.join('\n,')}`)
      hasBegun = true
    },
    end: () => console.log(hasBegun ? ']' : '[]'),
  }
}

// ID and email come first, so that they fit a narrow terminal's 80 columns.
const head = [
  'ID',
  'EMAIL',
  'CREATED',
  'LAST SEEN',
  'VERIFIED',
  '2FA',
  'PASSWORD',
  'PASSKEYS',
  'NAME',
]

function tableList(): ListPrinter {
  const widths: number[] = []
  let hasBegun = false
  return {
    add(users) {
      const lines = drawTable(head, users.map(cellsOf), widths)
      if (lines.length > 1) console.log(lines.slice(hasBegun ? 1 : 0).join('\n'))
      hasBegun = true
    },
    end(search) {
      if (hasBegun) return
      console.log(
        search ? `No user has ${quote(search)} in name or email.` : 'There are no users yet.',
      )
    },
  }
}

function cellsOf(user: Listed): string[] {
  const { id, createdAt, lastSeenAt, emailVerifiedAt, twoFactor, password, passkeys } = user
  return [
    String(id),
    shorten(user.email, 60),
    formatTime(createdAt),
    formatTime(lastSeenAt),
    emailVerifiedAt ? 'yes' : 'no',
    twoFactor ? 'on' : 'off',
    password ? 'yes' : 'no',
    String(passkeys),
    shorten(user.name, 60),
  ]
}

function quote(text: string): string {
  return escapeControls(JSON.stringify(shorten(text, 60)))
}
