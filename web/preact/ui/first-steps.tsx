import type { firstSteps } from '../../contract/view/first-steps.ts'
import { onward } from '../../contract/view/icons.ts'
import { dashboard } from '#words/dashboard'
import { Icon } from './icon.tsx'

/** The steps that are left; nothing once all are done. */
export function FirstSteps({ left, done, total }: ReturnType<typeof firstSteps>) {
  if (left.length === 0) return null
  return (
    <section class="panel first-steps" aria-labelledby="first-steps">
      <div class="panel-head">
        <h2 id="first-steps">{dashboard.stepsHeading}</h2>
        <p class="hint">{dashboard.done(done, total)}</p>
      </div>
      <ul class="rows">
        {left.map(({ title, text, href }) => (
          <li key={title}>
            <a class="step" href={href}>
              <span class="step-text">
                <strong>{title}</strong>
                <span class="hint">{text}</span>
              </span>
              <Icon path={onward} class="onward" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
