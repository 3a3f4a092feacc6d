const headerSize = 64

/**
 * Strips a Linux program of its symbols and debug sections, some 30 MB of the runtime that are never used. `strip`
 * would do the same, but its output depends on its version, and it supports only some platforms. A file that is not a
 * 64-bit little-endian ELF, or has another layout, is returned unchanged (`man 5 elf`).
 */
export function stripSymbols(program: Buffer): Buffer {
  if (program.readUInt32BE(0) !== 0x7f454c46 || program.readUInt16BE(4) !== 0x0201) return program
  const sections = readSections(program)
  const names = sections[program.readUInt16LE(0x3e)]
  const kept = sections.slice(
    0,
    sections.findIndex((section, index) => index > 0 && !section.loaded),
  )
  const end = Math.max(
    ...kept.map((section) => (section.hasContent ? section.offset + section.size : 0)),
  )
  const removed = sections.slice(kept.length)
  if (!names || removed.some((section) => section.loaded || section.offset < end)) return program

  // What stays: loaded sections, the section names, and the section table.
  const namesHeader = Buffer.from(names.header)
  namesHeader.writeBigUInt64LE(BigInt(end), 0x18)
  const filler = Buffer.alloc(-(end + names.size) & 7)
  const stripped = Buffer.concat([
    program.subarray(0, end),
    program.subarray(names.offset, names.offset + names.size),
    filler,
    ...kept.map((section) => section.header),
    namesHeader,
  ])
  stripped.writeBigUInt64LE(BigInt(end + names.size + filler.length), 0x28)
  stripped.writeUInt16LE(kept.length + 1, 0x3c)
  stripped.writeUInt16LE(kept.length, 0x3e)
  return stripped
}

function readSections(program: Buffer) {
  const start = Number(program.readBigUInt64LE(0x28))
  return Array.from({ length: program.readUInt16LE(0x3c) }, (_, index) => {
    const header = program.subarray(start + index * headerSize, start + (index + 1) * headerSize)
    return {
      header,
      offset: Number(header.readBigUInt64LE(0x18)),
      size: Number(header.readBigUInt64LE(0x20)),
      // SHT_NULL and SHT_NOBITS occupy no space in the file.
      hasContent: ![0, 8].includes(header.readUInt32LE(4)),
      // SHF_ALLOC
      loaded: (header.readBigUInt64LE(8) & 2n) === 2n,
    }
  })
}
