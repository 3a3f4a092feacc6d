// Milliseconds: most migrations are done by then.
const longWait = 10_000

/**
 * Waits for `pending`, which others may hold up. If that takes long, gets the advice and tells it once. While there is
 * none, since nobody holds it up or nobody is known to, `advice` is called again every ten seconds.
 */
export async function waitedFor<Result>(
  pending: Promise<Result>,
  advice: () => string | undefined | Promise<string | undefined>,
  tell: (advice: string) => void,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  let isOver = false
  const look = async () => {
    const found = await Promise.resolve(advice()).catch(() => undefined)
    if (isOver) return
    if (found === undefined) lookLater()
    else tell(found)
  }
  const lookLater = () => {
    timer = setTimeout(() => (looking = look()), longWait)
  }
  lookLater()
  try {
    return await pending
  } finally {
    isOver = true
    clearTimeout(timer)
    await looking
  }
}

/** How to find the transactions that a connection waits for, and where the advice on them goes. */
export interface HeldUp {
  /** The statement by which a connection asks for the number that the server knows it by. */
  readonly own: string
  /** What to do about the transactions that hold up the connection of this number; undefined while none does. */
  readonly adviceFor: (own: unknown) => Promise<string | undefined>
  /** Called with that advice. */
  readonly advise: (advice: string) => void
}

/**
 * Does work that locks or changes tables, and so waits for the transactions of others that use these tables. If that
 * takes long, tells whose transactions they are.
 */
export async function tellingOfHolders<Result>(
  connection: { rows(text: string): Promise<unknown[][]> },
  { own, adviceFor, advise }: HeldUp,
  work: () => Promise<Result>,
): Promise<Result> {
  const [[number] = []] = await connection.rows(own)
  return waitedFor(work(), () => adviceFor(number), advise)
}
