import type { SharedProps } from '../../contract/pages.ts'
import type { Choice } from '../../contract/view/choices.ts'

interface ChoicesProps {
  /** The name of the field; its error is under the same name. */
  readonly name: string
  /** `checkbox` to choose several, `radio` to choose one. */
  readonly type: 'checkbox' | 'radio'
  readonly legend: string
  /** Whether a heading above says the same: the legend is then hidden. */
  readonly hasHeading?: boolean
  readonly choices: readonly Choice[]
  /** The initially selected values. */
  readonly chosen: readonly string[]
  readonly errors: SharedProps['errors']
}

/** Choices under one legend, with their error. The selection lives in the DOM only. */
export function Choices({ name, type, choices, chosen, errors, ...heading }: ChoicesProps) {
  const error = errors[name]
  const errorId = error ? `${name}-error` : undefined
  return (
    <fieldset class="choices" aria-describedby={errorId}>
      <legend class={heading.hasHeading ? 'visually-hidden' : undefined}>{heading.legend}</legend>
      {choices.map(({ value, label, hint, lang }) => (
        <div key={value}>
          <label class="check">
            <input
              type={type}
              name={name}
              value={value}
              defaultChecked={chosen.includes(value)}
              // Not for a radio, which is never invalid: one of its group is always chosen.
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
