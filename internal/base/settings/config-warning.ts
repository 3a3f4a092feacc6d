/** A setting that can be used, but may not be what was meant. */
export interface ConfigWarning {
  /** Whole sentences. */
  readonly message: string
  readonly advice: string
}
