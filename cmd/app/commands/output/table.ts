import { escapeControls } from '../../../../internal/base/text/escape.ts'

/**
 * Formats a table's lines with aligned columns; the last column is not padded. Control characters are escaped, so that
 * no cell can drive the terminal or begin a line. `widths` keeps the column widths from one part of a table to the
 * next.
 */
export function drawTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  widths: number[] = [],
): string[] {
  const lines = [head, ...rows].map((cells) => cells.map(escapeControls))
  for (const cells of lines)
    for (const [column, cell] of cells.entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
  return lines.map((cells) =>
    cells
      .map((cell, column) => (column === head.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

/** Formats a time to the second in UTC; empty for null. */
export function formatTime(at: Date | null): string {
  return at?.toISOString().replace(/\.\d+Z$/, 'Z') ?? ''
}

/** Shortens a text of any length to fit a cell. */
export function shorten(text: string, most: number): string {
  const characters = Array.from(text.slice(0, 2 * most + 2))
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`
}
