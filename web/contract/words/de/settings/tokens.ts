import { isolated } from '../../isolated.ts'
import { plural } from '../../plural.ts'
import type { Ability } from '../../../abilities.ts'
import type { tokens as en } from '../../en/settings/tokens.ts'
import type { Translated } from '../../translated.ts'

const may: Readonly<Record<Ability, string>> = {
  'user:read':
    'Name, E-Mail-Adresse und Foto sehen, außerdem, ob die E-Mail-Adresse bestätigt und die Anmeldung in zwei Schritten eingeschaltet ist.',
  '*': 'Alles, was die API kann, jetzt und später.',
}

/** API tokens, and what the security page says of them. */
export const tokens: Translated<typeof en> = {
  heading: 'API-Tokens',
  lead: 'Mit einem Token kann ein Programm in Ihrem Namen die API aufrufen, ohne Ihr Passwort zu kennen. Auch wenn Sie Ihr Passwort ändern, bleibt ein Token gültig, bis Sie es widerrufen.',
  make: 'Neues Token',
  name: 'Zum Beispiel das Programm oder das Gerät, das es verwendet.',
  abilities: 'Berechtigungen',
  ability: (ability) => (ability === '*' ? '* (alles)' : ability),
  may: (ability) => may[ability],
  expiry: 'Gültigkeit',
  expiries: {
    30: '30 Tage',
    365: 'Ein Jahr',
    never: 'Unbegrenzt',
  },
  create: 'Token erstellen',
  made: 'Ihr neues Token',
  madeText:
    'Kopieren Sie es jetzt und bewahren Sie es auf wie ein Passwort. Es wird nur angezeigt, bis Sie diese Seite verlassen.',
  copy: 'Token kopieren',
  list: 'Ihre Tokens',
  none: 'Noch kein Token',
  noneText:
    'Erstellen Sie für jedes Programm, das die API aufruft, ein eigenes: So können Sie jedes einzeln widerrufen.',
  try: 'Ausprobieren',
  tryText: 'Setzen Sie für $TOKEN Ihr Token ein, dann sagt Ihnen die API, wer Sie sind:',
  call: (at) => `curl -H "Authorization: Bearer $TOKEN" ${at}`,
  copyCall: 'Aufruf kopieren',
  describe: 'Alles, was die API kann (OpenAPI)',
  created: (time: string) => `Erstellt: ${time}`,
  used: (time: string) => `Zuletzt verwendet: ${time}`,
  unused: 'Noch nie verwendet',
  expires: (day: string) => `Gültig bis zum ${day}`,
  expiredOn: (day: string) => `Abgelaufen am ${day}`,
  neverExpires: 'Unbegrenzt gültig',
  expired: 'Abgelaufen',
  revoke: 'Widerrufen',
  // The name comes last: a long one cuts off what follows.
  sure: (name) => `Token widerrufen: ${isolated(name)}?`,
  sureText:
    'Programme, die es verwenden, haben dann keinen Zugriff mehr. Das lässt sich nicht rückgängig machen.',
  keep: 'Behalten',
  count: (count) =>
    count === 0
      ? 'Sie haben kein API-Token.'
      : plural('de', count, { one: 'Sie haben ein API-Token.', other: 'Sie haben # API-Tokens.' }),
  see: 'API-Tokens ansehen',
}
