import { page } from '../page/page.ts'
import type { Handler } from '../form/form.ts'

export const showHome: Handler = (c) => page(c, 'Home', {})
