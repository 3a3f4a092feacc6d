import { getAssetKeys, getRawAsset } from 'node:sea'
import { names, open } from '../../internal/base/program/bundled-program.ts'
import { codeOfEnd } from './end-now.ts'
import type * as program from './program.ts'

// Where the executable begins: it opens the program that lies in it.
const end = codeOfEnd()
if (end !== undefined) process.exit(end)

const source = Buffer.from(getRawAsset(names.source))
const code = getAssetKeys().includes(names.code) ? Buffer.from(getRawAsset(names.code)) : undefined
const opened = open<typeof program>(source, { code, file: process.execPath })
void opened.program.main()
