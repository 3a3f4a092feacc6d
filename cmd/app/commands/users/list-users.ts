import { appName } from '../../../../web/contract/name.ts'
import { escapeControls } from '../../../../internal/base/text/escape.ts'
import { type Listed, listAccounts } from '../../../../internal/domain/accounts/list-accounts.ts'
import { withDatabase } from '../database/with-database.ts'
import { printRows } from '../output/print-rows.ts'
import { shorten, formatTime } from '../output/table.ts'

export interface ListOptions {
  readonly json: boolean
  readonly all: boolean
  readonly search?: string
}

const defaultLimit = 100

/** Lists users, newest first; works beside a running server. Reports on stderr if some were left out. */
export async function listUsers({ json, all, search }: ListOptions): Promise<number> {
  const isComplete = await withDatabase((db) =>
    printRows(listAccounts(db, search), {
      json,
      head,
      cellsOf,
      jsonOf: (user) => user,
      none: search ? `No user has ${quote(search)} in name or email.` : 'There are no users yet.',
      most: all ? Infinity : defaultLimit,
    }),
  )
  if (!isComplete) console.error(omittedNote)
  return 0
}

const omittedNote = `These are the newest ${defaultLimit}. \`${appName} users list --all\` lists all, \`--search <text>\` those with a text in name or email.`

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
