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
