import { spark } from '../../contract/view/icons.ts'
import { product } from '#words/product'
import { Icon } from '../ui/icon.tsx'

/** Where your product begins: what people see once they are logged in. */
export function Start() {
  return (
    <section class="empty start" aria-labelledby="start">
      <Icon path={spark} />
      <h2 id="start">{product.start}</h2>
      <p class="hint">{product.startText}</p>
      <code>web/preact/product/start.tsx</code>
    </section>
  )
}
