import { path } from '../../contract/paths.ts'
import { settings } from '../../contract/words/settings.ts'
import type { LayoutProps } from '../view.tsx'

const pages = [
  ['Settings/Profile', path('profile.edit'), settings.profile],
  ['Settings/Security', path('security.edit'), settings.security],
  ['Settings/Tokens', path('tokens.index'), settings.tokens],
  ['Settings/Appearance', path('appearance.edit'), settings.appearance],
] as const

/** The pages of the settings beside the one that is shown; on a narrow screen a row above it. */
export function SettingsLayout({ page, children }: LayoutProps) {
  return (
    <div class="settings">
      <nav aria-label={settings.pages}>
        <ul>
          {pages.map(([component, href, title]) => (
            <li key={component}>
              <a
                class="settings-way"
                href={href}
                aria-current={component === page.component ? 'page' : undefined}
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="settings-page">{children}</div>
    </div>
  )
}
