/** Discards the rest of an archive entry, which must be read for its checksum. */
export async function readPast(content: AsyncIterable<unknown>): Promise<void> {
  const parts = content[Symbol.asyncIterator]()
  while (!(await parts.next()).done);
}
