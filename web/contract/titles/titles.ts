import { titles as app } from '#words/titles/app'
import { titles as card } from '#words/titles/card'
import { titles as login } from '#words/titles/login'
import { titles as none } from '#words/titles/none'
import { titles as settings } from '#words/titles/settings'
import type { GroupName } from '../groups.ts'
import type { Titles } from './title-of.ts'

/** Those of every page, for the server: a browser loads the titles of a group with its pages. */
export const titles: Titles<GroupName> = { ...none, ...login, ...card, ...app, ...settings }
