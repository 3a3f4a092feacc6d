import type { SharedProps } from '../../contract/pages.ts'
import type { Choice } from '../../contract/view/choices.ts'

interface ChoicesProps {
  /** The form's name for it; its error stands under the same. */
  readonly name: string
  /** Whether several can be chosen, or one. */
  readonly type: 'checkbox' | 'radio'
  readonly legend: string
  /** Whether the heading above says the same. */
  readonly isHeaded?: boolean
  readonly choices: readonly Choice[]
  /** Which are chosen as the page opens. */
  readonly chosen: readonly string[]
  readonly errors: SharedProps['errors']
}

/** Some choices under one heading, with their error. What is chosen belongs to the browser. */
export function Choices({ name, type, choices, chosen, errors, ...heading }: ChoicesProps) {
  const error = errors[name]
  const told = error ? `${name}-error` : undefined
  return (
    <fieldset class="choices" aria-describedby={told}>
      <legend class={heading.isHeaded ? 'visually-hidden' : undefined}>{heading.legend}</legend>
      {choices.map(({ value, label, hint, lang }) => (
        <div key={value}>
          <label class="check">
            <input
              type={type}
              name={name}
              value={value}
              defaultChecked={chosen.includes(value)}
              // A radio cannot have it: one of its group is always chosen.
              aria-invalid={error && type === 'checkbox' ? 'true' : undefined}
              aria-describedby={hint && `${name}-${value}`}
            />
            <span lang={lang}>{label}</span>
          </label>
          {hint && (
            <p id={`${name}-${value}`} class="hint">
              {hint}
            </p>
          )}
        </div>
      ))}
      <div id={`${name}-error`} class="error" aria-live="polite">
        {error && <p class="sign">{error}</p>}
      </div>
    </fieldset>
  )
}
