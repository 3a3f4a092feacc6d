/** The result of one check. */
export interface Finding {
  /** `warn`: everything works now; `fail`: something does not work, or will be lost. */
  readonly state: 'ok' | 'warn' | 'fail'
  /** What was checked, in a word or two. */
  readonly check: string
  /** Whole sentences. */
  readonly finding: string
  /** What to do, in whole sentences; absent if all is well. */
  readonly advice?: string
}

export function ok(check: string, finding: string): Finding {
  return { state: 'ok', check, finding }
}

export function warn(check: string, finding: string, advice: string): Finding {
  return { state: 'warn', check, finding, advice }
}

export function fail(check: string, finding: string, advice: string): Finding {
  return { state: 'fail', check, finding, advice }
}
