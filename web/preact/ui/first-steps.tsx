import type { firstSteps } from '../../contract/view/first-steps.ts'
import { arrow } from '../../contract/view/icons.ts'
import { dashboard } from '#words/dashboard'
import { Icon } from './icon.tsx'

/** The remaining steps; nothing once all are done. */
export function FirstSteps({ remaining, done, total }: ReturnType<typeof firstSteps>) {
  if (remaining.length === 0) return null
  return (
    <section class="panel first-steps" aria-labelledby="first-steps">
      <div class="panel-head">
        <h2 id="first-steps">{dashboard.stepsHeading}</h2>
        <p class="hint">{dashboard.done(done, total)}</p>
      </div>
      <ul class="rows">
        {remaining.map(({ title, text, href }) => (
          <li key={title}>
            <a class="step" href={href}>
              <span class="step-text">
                <strong>{title}</strong>
                <span class="hint">{text}</span>
              </span>
              <Icon path={arrow} class="onward" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
