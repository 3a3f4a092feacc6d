/** Reads what is left of a part of an archive, and keeps nothing: its sum is made of all of it. */
export async function readPast(content: AsyncIterable<unknown>): Promise<void> {
  const parts = content[Symbol.asyncIterator]()
  while (!(await parts.next()).done);
}
