/** What of the settings can be used, and may not be what is meant. */
export interface ConfigWarning {
  /** Whole sentences. */
  readonly message: string
  readonly advice: string
}
