import type { ComputedRef, InjectionKey } from 'vue'

/** The ID of the user whom the page is shown to; undefined for a guest. */
export const viewer: InjectionKey<ComputedRef<number | undefined>> = Symbol('viewer')
