import { setImmediate as nextTurn } from 'node:timers/promises'
import { appName } from '../../../web/contract/name.ts'
import { escapeControls } from '../../../internal/base/text/escape.ts'
import { type Listed, listAccounts } from '../../../internal/domain/accounts/list-accounts.ts'
import { onDatabase } from './on-database.ts'
import { throwUnwritten } from './printed.ts'
import { drawTable, shortened, shownTime } from '../table.ts'

export interface Listing {
  readonly json: boolean
  readonly all: boolean
  readonly search?: string
}

const most = 100

/** Lists users, newest first; works beside a running server. Reports on stderr if some were left out. */
export async function listUsers({ json, all, search }: Listing): Promise<number> {
  const list = json ? jsonList() : tableList()
  let writeError: Error | undefined
  process.stdout.once('error', (error) => (writeError = error))
  const isComplete = await onDatabase(async (db) => {
    let left = all ? Infinity : most
    for await (const users of listAccounts(db, search)) {
      list.add(users.slice(0, left))
      if (users.length > left) return false
      left -= users.length
      // Lets errors of standard output surface: reading from the database may never yield to the event loop.
      await nextTurn()
      if (writeError) return true
    }
    return true
  })
  list.end(search)
  await nextTurn()
  throwUnwritten('The list', writeError)
  if (!isComplete) console.error(omittedNote)
  return 0
}

const omittedNote = `These are the newest ${most}. \`${appName} users list --all\` lists all, \`--search <text>\` those with a text in name or email.`

interface List {
  add(users: readonly Listed[]): void
  end(search: string | undefined): void
}

/** Streams an array with one line per user, so that a million of them are never in memory at once. */
function jsonList(): List {
  let isBegun = false
  return {
    add(users) {
      if (users.length === 0) return
      const lines = users.map((user) => escapeControls(JSON.stringify(user)))
      console.log(`${isBegun ? ',' : '['}${lines.join('\n,')}`)
      isBegun = true
    },
    end: () => console.log(isBegun ? ']' : '[]'),
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

function tableList(): List {
  const widths: number[] = []
  let isBegun = false
  return {
    add(users) {
      const lines = drawTable(head, users.map(cellsOf), widths)
      if (lines.length > 1) console.log(lines.slice(isBegun ? 1 : 0).join('\n'))
      isBegun = true
    },
    end(search) {
      if (isBegun) return
      console.log(
        search ? `No user has ${quoted(search)} in name or email.` : 'There are no users yet.',
      )
    },
  }
}

function cellsOf(user: Listed): string[] {
  const { id, createdAt, lastSeenAt, emailVerifiedAt, twoFactor, password, passkeys } = user
  return [
    String(id),
    shortened(user.email, 60),
    shownTime(createdAt),
    shownTime(lastSeenAt),
    emailVerifiedAt ? 'yes' : 'no',
    twoFactor ? 'on' : 'off',
    password ? 'yes' : 'no',
    String(passkeys),
    shortened(user.name, 60),
  ]
}

function quoted(text: string): string {
  return escapeControls(JSON.stringify(shortened(text, 60)))
}
