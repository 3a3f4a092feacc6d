import { deflateSync } from 'node:zlib'
import { type JudgedPhoto, judgePhoto } from '../../domain/photos/save-photo.ts'
import {
  chunkOf,
  exifOf,
  exifSegment,
  numbers,
  profileChunk,
  riffChunk,
  segmentOf,
} from './photo-parts.ts'
import type { FormFile } from '../browser.ts'

/** Photos made for tests: complete where a browser may render them, else only the part that identifies them. */

/** Returns a photo as the service accepts it from an upload. */
export function judged(photo: Uint8Array): JudgedPhoto {
  const found = judgePhoto(photo)
  if ('fault' in found) throw new Error(`The photo will not do: ${found.fault}.`)
  return found.photo
}

/** Returns a grey PNG. */
export function png(width = 1, height = 1): Buffer {
  const line = Buffer.alloc(width + 1, 0x99)
  line[0] = 0
  const header = Buffer.concat([numbers(width, height), Buffer.from([8, 0, 0, 0, 0])])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  return pngOf(header, pixels)
}

/** Returns a PNG whose header states this size, without as many pixels. */
export function pngHeader(width: number, height: number): Buffer {
  return pngOf(
    Buffer.concat([numbers(width, height), Buffer.from([8, 0, 0, 0, 0])]),
    deflateSync(''),
  )
}

/** Returns the same PNG with an empty comment before its header, where none is allowed. */
export function commented(photo: Buffer): Buffer {
  return Buffer.concat([
    photo.subarray(0, 8),
    chunkOf(['tEXt', Buffer.alloc(0)]),
    photo.subarray(8),
  ])
}

/** Returns a PNG of one pixel with excess data, `bytes` long in all. */
export function pngOfBytes(bytes: number): Buffer {
  const header = Buffer.concat([numbers(1, 1), Buffer.from([8, 0, 0, 0, 0])])
  const pixels = Buffer.alloc(bytes - pngOf(header, Buffer.alloc(0)).length)
  deflateSync(Buffer.from([0, 0x99])).copy(pixels)
  return pngOf(header, pixels)
}

/** Returns a PNG of one pixel with its data in `count` chunks. */
export function pngOfChunks(count: number): Buffer {
  const header = Buffer.concat([numbers(1, 1), Buffer.from([8, 0, 0, 0, 0])])
  const data = deflateSync(Buffer.from([0, 0x99]))
  const pieces = Array.from({ length: count }, (_, at) => data.subarray(at, at + 1))
  return pngOf(header, ...pieces)
}

function pngOf(header: Uint8Array, ...pixels: readonly Uint8Array[]): Buffer {
  const chunks = [
    ['IHDR', header],
    ...pixels.map((piece) => ['IDAT', piece] as const),
    ['IEND', new Uint8Array()],
  ] as const
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks.map(chunkOf)])
}

/** Returns the beginning of a JPEG: its segments up to the one with its size. */
export function jpeg(width = 1, height = 1): Buffer {
  const app = Buffer.from('ffe000104a46494600010100000100010000', 'hex')
  const frame = Buffer.from('ffc0000b080000000001011100', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from('ffd8', 'hex'), app, frame])
}

/** Returns the beginning of an extended-format WebP. */
export function webp(width = 1, height = 1): Buffer {
  const chunk = Buffer.alloc(18)
  chunk.write('VP8X')
  chunk.writeUInt32LE(10, 4)
  chunk.writeUIntLE(width - 1, 12, 3)
  chunk.writeUIntLE(height - 1, 15, 3)
  const riff = Buffer.alloc(12)
  riff.write('RIFF')
  riff.writeUInt32LE(chunk.length + 4, 4)
  riff.write('WEBP', 8)
  return Buffer.concat([riff, chunk])
}

/** Returns a JPEG whose Exif data contain only its maker and one of eight orientations, in this byte order. */
export function turnedBy(photo: Buffer, way: number, order: 'II' | 'MM' = 'MM'): Buffer {
  const maker = [0x010f, 2, 4, Buffer.from('Tell')] as const
  const tiff = exifOf([maker, [0x0112, 3, 1, way]], order)
  const at = photo.indexOf('Exif') - 4
  const after = at + 2 + photo.readUInt16BE(at + 2)
  return Buffer.concat([photo.subarray(0, at), exifSegment(tiff), photo.subarray(after)])
}

/** The beginning of a colour profile, with a text by which tests find it. */
const profile = `${'\0'.repeat(36)}acsp<colours>`

/**
 * Returns a photo of each format with every kind of part, each marked by a text such as `<so>`, and which parts are
 * rendered.
 */
export function withEveryPart(): { photo: Buffer; drawn: readonly string[] }[] {
  return [everyChunk(), everySegment(), everyWebp()]
}

function everyChunk() {
  const drawn = 'IHDR cICP iCCP sRGB PLTE tRNS acTL fcTL IDAT fdAT IEND'.split(' ')
  const others = 'tEXt zTXt iTXt tIME eXIf pHYs bKGD sPLT hIST vpAg prVt'.split(' ')
  const chunks = [...drawn.slice(0, -1), ...others, 'IEND'].map((name) =>
    name === 'iCCP' ? profileChunk(profile) : chunkOf([name, Buffer.from(`<${name}>`)]),
  )
  return { photo: Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks]), drawn }
}

function everySegment() {
  const parts: readonly (readonly [code: number, content: string])[] = [
    [0xe0, 'JFIF\0\x01\x01\0\0\x01\0\x01\x01\x01<preview>'],
    [0xe0, 'JFXX\0\x10<other preview>'],
    [0xe1, 'Exif\0\0<exif>'],
    [0xe1, 'http://ns.adobe.com/xap/1.0/\0<xmp>'],
    [0xe2, `ICC_PROFILE\0\x01\x01${profile}`],
    [0xe2, 'MPF\0<more photos>'],
    [0xed, 'Photoshop 3.0\0<iptc>'],
    [0xee, 'Adobe\0\x64\0\0\0\0\0<more>'],
    [0xfe, '<comment>'],
    [0xdb, '<tables>'],
    [0xc2, '<frame>'],
    [0xc4, '<codes>'],
    [0xf0, '<extension>'],
    [0xda, '<scan>'],
  ]
  const segments = parts.map(([code, content]) => segmentOf(code, Buffer.from(content, 'latin1')))
  const photo = Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    ...segments,
    Buffer.from('<data>\xff\0<more data>\xff\xd0<last data>\xff\xff\xd9<tail>', 'latin1'),
  ])
  const drawn = ['colours', 'tables', 'frame', 'codes', 'scan', 'data', 'more data', 'last data']
  return { photo, drawn }
}

function everyWebp() {
  const inFrame = [
    riffChunk('ALPH', '<alpha>'),
    riffChunk('EXIF', '<in>'),
    riffChunk('VP8 ', '<frame>'),
  ]
  const frame = Buffer.concat([Buffer.alloc(16), ...inFrame]).toString('latin1')
  const chunks = [
    riffChunk('VP8X', '\x2e\0\0\0\0\0\0\0\0\0'),
    riffChunk('ICCP', profile),
    riffChunk('ANIM', '<moving>'),
    riffChunk('ANMF', frame),
    riffChunk('EXIF', '<exif>'),
    riffChunk('XMP ', '<xmp>'),
    riffChunk('TELL', '<unknown>'),
  ]
  const content = Buffer.concat([Buffer.from('WEBP'), ...chunks]).toString('latin1')
  return { photo: riffChunk('RIFF', content), drawn: ['colours', 'moving', 'alpha', 'frame'] }
}

/** Returns a photo as chosen in the profile's form. Its name and type do not matter. */
export function chosen(content: Uint8Array, name = 'me.png', type = 'image/png'): FormFile {
  return { field: 'photo', name, type, content }
}
