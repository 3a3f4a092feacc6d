import { appearance } from '#words/settings/appearance'
import { paths } from '../../../contract/paths.ts'
import { languageChoices } from '../../../contract/view/choices.ts'
import { Choices } from '../../ui/choices.tsx'
import { Form } from '../../ui/form.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { PageComponentProps } from '../../../contract/pages.ts'

/** The client stores the appearance in this browser and sends nothing; the language is sent. */
export function Appearance({ language, errors }: PageComponentProps<'Settings/Appearance'>) {
  return (
    <>
      <h1>{appearance.heading}</h1>
      <p class="lead">{appearance.lead}</p>
      <fieldset class="looks">
        <legend class="visually-hidden">{appearance.heading}</legend>
        {Object.entries(appearance.choices).map(([look, [title, text]]) => (
          <label key={look} class="look">
            <LookSample look={look} />
            <span class="look-choice">
              <input
                type="radio"
                name="appearance"
                value={look}
                aria-labelledby={`look-${look}`}
                aria-describedby={`look-${look}-text`}
                data-appearance=""
              />
              <span>
                <strong id={`look-${look}`}>{title}</strong>
                <span id={`look-${look}-text`} class="hint">
                  {text}
                </span>
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <p class="hint without-script">{appearance.noScript}</p>
      <Panel id="language" heading={appearance.language} lead={appearance.languageLead}>
        <Form action={paths['language.update']} method="PUT" submit={appearance.useLanguage}>
          <Choices
            name="language"
            type="radio"
            legend={appearance.language}
            hasHeading
            choices={languageChoices}
            chosen={[language]}
            errors={errors}
          />
        </Form>
      </Panel>
    </>
  )
}

/** A miniature page in an appearance; for `system` one half in each. */
function LookSample({ look }: { look: string }) {
  const sides = look === 'system' ? ['light', 'dark'] : [look]
  return (
    <span class="samples" aria-hidden="true">
      {sides.map((side) => (
        <span key={side} class="sample" data-look={side}>
          <span />
          <span />
          <span />
        </span>
      ))}
    </span>
  )
}
