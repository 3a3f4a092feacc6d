// Milliseconds: most migrations finish sooner.
const longWait = 10_000

/**
 * Waits for `pending`, which others may delay. If that takes long, gets the advice and reports it once. While there is
 * none, because nobody is in the way or nobody is known to be, `advice` is called again every ten seconds.
 */
export async function waitWithAdvice<Result>(
  pending: Promise<Result>,
  advice: () => string | undefined | Promise<string | undefined>,
  advise: (advice: string) => void,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  let reporting: Promise<void> | undefined
  let isOver = false
  const report = async () => {
    const text = await Promise.resolve(advice()).catch(() => undefined)
    if (isOver) return
    if (text === undefined) reportLater()
    else advise(text)
  }
  const reportLater = () => {
    timer = setTimeout(() => (reporting = report()), longWait)
  }
  reportLater()
  try {
    return await pending
  } finally {
    isOver = true
    clearTimeout(timer)
    await reporting
  }
}

/** How to find the transactions that a connection waits for, and where to send the advice about them. */
export interface HolderReport {
  /** The SQL by which a connection asks for its own ID on the server. */
  readonly own: string
  /** Returns advice about the transactions that block the connection with this ID; undefined if none does. */
  readonly adviceFor: (own: unknown) => Promise<string | undefined>
  /** Called with that advice. */
  readonly advise: (advice: string) => void
}

/**
 * Runs work that locks or changes tables, and so waits for others' transactions that use these tables. If that takes
 * long, reports whose transactions they are.
 */
export async function runReportingHolders<Result>(
  connection: { rows(text: string): Promise<unknown[][]> },
  { own, adviceFor, advise }: HolderReport,
  work: () => Promise<Result>,
): Promise<Result> {
  const [[number] = []] = await connection.rows(own)
  return waitWithAdvice(work(), () => adviceFor(number), advise)
}
