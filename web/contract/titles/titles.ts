import { titles as app } from './app.ts'
import { titles as card } from './card.ts'
import { titles as login } from './login.ts'
import { titles as none } from './none.ts'
import { titles as settings } from './settings.ts'
import type { GroupName } from '../groups.ts'
import type { Titles } from './title-of.ts'

/** Those of every page, for the server: a browser loads the titles of a group with its pages. */
export const titles: Titles<GroupName> = { ...none, ...login, ...card, ...app, ...settings }
