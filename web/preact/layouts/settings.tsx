import { settingsPages } from '../../contract/view/settings-pages.ts'
import { settings } from '#words/settings/settings'
import type { LayoutProps } from '../view.tsx'

/** The settings navigation beside the page; on a narrow screen in a row above it. */
export function SettingsLayout({ page, children }: LayoutProps) {
  return (
    <div class="settings">
      <nav aria-label={settings.pages}>
        <ul>
          {settingsPages.map(({ component, href, name }) => (
            <li key={component}>
              <a
                class="settings-way"
                href={href}
                aria-current={component === page.component ? 'page' : undefined}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="settings-page">{children}</div>
    </div>
  )
}
