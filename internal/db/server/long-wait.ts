// Milliseconds: most migrations are done by then.
const longWait = 10_000

/**
 * Waits for what others may hold up for long, and where they do tells what `advice` says of it, once. While it has none,
 * since nobody holds it up or that cannot be found out, it is asked again.
 */
export async function waitedFor<Result>(
  asked: Promise<Result>,
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
    return await asked
  } finally {
    isOver = true
    clearTimeout(timer)
    await looking
  }
}

/** How those are found whose transactions a connection waits for. */
export interface HeldUp {
  /** What the connection is asked for: by which number the server knows it. */
  readonly own: string
  /** What to do about those that hold up the connection of this number; undefined while none does. */
  readonly adviceFor: (own: unknown) => Promise<string | undefined>
  /** Told what that says. */
  readonly advise: (advice: string) => void
}

/**
 * Does what locks or changes tables, and may wait for as long as the transactions of others last that have them: where that
 * is long, tells whose they are.
 */
export async function tellingOfHolders<Result>(
  connection: { rows(text: string): Promise<unknown[][]> },
  { own, adviceFor, advise }: HeldUp,
  work: () => Promise<Result>,
): Promise<Result> {
  const [[number] = []] = await connection.rows(own)
  return waitedFor(work(), () => adviceFor(number), advise)
}
