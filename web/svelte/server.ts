import { render } from 'svelte/server'
import type { Frontend } from '../contract/frontend.ts'
import { type GroupName, groupOf } from '../contract/groups.ts'
import type { AnyGroup } from './group.ts'
import { app } from './groups/app.ts'
import { card } from './groups/card.ts'
import { login } from './groups/login.ts'
import { none } from './groups/none.ts'
import { settings } from './groups/settings.ts'
import View from './view.svelte'

const groups: Readonly<Record<GroupName, AnyGroup>> = { none, login, card, app, settings }

export const frontend: Frontend = {
  render: async (page) =>
    render(View, { props: { first: { page, group: groups[groupOf(page.component)] } } }).body,
  // By which it makes elements of its templates.
  trustedTypes: ['svelte-trusted-html'],
  makesStyles: false,
}
