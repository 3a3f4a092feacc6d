import { withoutSpace } from '../../base/text/optional-space.ts'
/** The Vary of answers to pages and forms (RFC 9110, 12.5.5). */
export const vary = 'X-Page, X-Inertia, Accept-Language'

/** Header names of the page protocol: its own, and those of Inertia clients (contract: Page protocol). */
export interface Protocol {
  readonly marker: string
  readonly version: string
  readonly location: string
  readonly partialComponent: string
  readonly partialData: string
  readonly partialExcept: string
  /** Set on a validation-only request, and on its answer. */
  readonly validating: string
  readonly validateOnly: string
  readonly validated?: string
}

const own: Protocol = {
  marker: 'X-Page',
  version: 'X-Page-Version',
  location: 'X-Page-Location',
  partialComponent: 'X-Page-Partial-Component',
  partialData: 'X-Page-Partial-Data',
  partialExcept: 'X-Page-Partial-Except',
  validating: 'X-Page-Validate-Only',
  validateOnly: 'X-Page-Validate-Only',
}

const inertia: Protocol = {
  marker: 'X-Inertia',
  version: 'X-Inertia-Version',
  location: 'X-Inertia-Location',
  partialComponent: 'X-Inertia-Partial-Component',
  partialData: 'X-Inertia-Partial-Data',
  partialExcept: 'X-Inertia-Partial-Except',
  validating: 'Precognition',
  validateOnly: 'Precognition-Validate-Only',
  validated: 'Precognition-Success',
}

type Header = (name: string) => string | undefined

/** The part of a request needed once its protocol is known. */
interface Asking {
  readonly protocol: Protocol | undefined
  header(name: string): string | undefined
}

/** Returns the protocol a request speaks, or undefined if it wants a document. */
export function protocolOf(header: Header): Protocol | undefined {
  // A validation-only request of Precognition need not carry X-Inertia.
  if (header(own.marker) !== undefined || header(own.validating) !== undefined) return own
  if (header(inertia.marker) !== undefined || header(inertia.validating) !== undefined)
    return inertia
  return undefined
}

/** Returns the fields of a validation-only request, or `all`; undefined for any other request. */
export function fieldsToValidate(c: Asking): 'all' | ReadonlySet<string> | undefined {
  const { protocol } = c
  if (!protocol || c.header(protocol.validating) === undefined) return undefined
  const names = listed(c.header(protocol.validateOnly))
  return names.size === 0 ? 'all' : names
}

export interface Partial {
  readonly component: string
  readonly only: ReadonlySet<string>
  readonly except: ReadonlySet<string>
}

/** Returns what a partial reload asks for, or undefined if the whole page is requested. */
export function partialOf(c: Asking): Partial | undefined {
  const { protocol } = c
  const component = protocol && c.header(protocol.partialComponent)
  if (!protocol || !component) return undefined
  const only = listed(c.header(protocol.partialData))
  const except = listed(c.header(protocol.partialExcept))
  return { component, only, except }
}

function listed(value: string | undefined): ReadonlySet<string> {
  return new Set((value ?? '').split(',').map(withoutSpace).filter(Boolean))
}
