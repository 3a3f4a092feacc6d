import { paths } from '../paths.ts'
import { product } from '#words/product'
import type { PageName } from '../pages.ts'

/** The pages of the product, in the order of the header. Add your own here. */
export const productPages: readonly {
  readonly component: PageName
  readonly href: string
  readonly name: string
}[] = [{ component: 'Dashboard', href: paths.dashboard, name: product.dashboard }]
