import { settings } from '../../../internal/base/settings/settings.ts'
import type { Setting } from '../../../internal/base/settings/settings.ts'

/** Lists every setting with its meaning and default (contract: Command line, `help settings`). */
export function settingsHelp(): string {
  const entries = Object.entries<Setting>(settings)
  const lines = entries.map(([name, setting]) => {
    const file = setting.secret ? `, or ${name}_FILE` : ''
    return `  ${name}${file} (${fallback(setting)})\n      ${setting.meaning}`
  })
  return `Settings, read from the environment and from .env in the working folder:\n${lines.join('\n')}`
}

function fallback({ required, default: value, otherwise }: Setting): string {
  if (required) return 'required'
  return value === undefined ? `default: ${otherwise ?? 'none'}` : `default: ${value}`
}
