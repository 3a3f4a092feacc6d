/**
 * Does work that prints, and returns its exit code. A reader who leaves early, as `head` does, has seen enough: that is
 * no fault. What finds no room is one, and is thrown once the work is done.
 */
export async function printed(work: () => Promise<number>): Promise<number> {
  let unwritten: NodeJS.ErrnoException | undefined
  process.stdout.on('error', (error) => (unwritten ??= error))
  const exitCode = await work()
  // Called, with an error or without, once all before it is written or lost.
  await new Promise((resolve) => process.stdout.write('', resolve))
  if (!unwritten || unwritten.code === 'EPIPE') return exitCode
  throw new Error(`What it prints could not be written: ${unwritten.message}.`, {
    cause: unwritten,
  })
}
