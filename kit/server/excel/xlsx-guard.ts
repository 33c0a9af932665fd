import type { SheetLimits } from './cell.ts'
import { SheetRefused } from './refusal.ts'
import { readDirectory } from './zip-directory.ts'
import type { ZipEntry } from './zip-directory.ts'
import { peekPart, readPart } from './zip-part.ts'

/** A sheet's XML seldom shrinks more than 30 times; only a bomb does so 100 times. */
const maxRatio = 100
const ratioFrom = 5 * 1024 * 1024

const nestedName = /\.(zip|jar|rar|7z|gz|tgz|bz2|xz|xls[xmb]?|doc[xm]?|ppt[xm]?|ods|odt|et|wps)$/i
const macroName = /vbaproject|vbadata|\/macrosheets\//i
const macroContent = /macroEnabled|vbaProject|macrosheet/i
const nestedMagics = [
  Buffer.from('PK\u0003\u0004', 'latin1'),
  Buffer.from('Rar!', 'latin1'),
  Buffer.from('7z\u00bc\u00af', 'latin1'),
  Buffer.from('\u001f\u008b', 'latin1'),
  Buffer.from('\u00d0\u00cf\u0011\u00e0', 'latin1'),
]

/** The parts of a checked xlsx by lower-case name. */
export type XlsxParts = Map<string, ZipEntry>

/**
 * Everything that can be refused from the directory and the first bytes of each part, before a part is inflated as a whole:
 * bombs, archives in archives, macros, DOCTYPE. What is only seen while inflating is refused by the part reader.
 */
export function guardXlsx(file: Buffer, limits: SheetLimits): XlsxParts {
  const entries = readDirectory(file)
  refuseBombs(entries, limits.max_inflated)
  for (const entry of entries) refuseContent(file, entry)
  const parts: XlsxParts = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]))
  const types = parts.get('[content_types].xml')
  if (!types) throw new SheetRefused('not_allowed')
  if (macroContent.test(readPart(file, types))) throw new SheetRefused('not_allowed')
  return parts
}

function refuseBombs(entries: ZipEntry[], max_inflated: number): void {
  let total = 0
  for (const { inflated, packed } of entries) {
    total += inflated
    const bomb = inflated > ratioFrom && inflated > packed * maxRatio
    if (bomb || total > max_inflated) throw new SheetRefused('not_allowed')
  }
}

function refuseContent(file: Buffer, entry: ZipEntry): void {
  if (nestedName.test(entry.name) || macroName.test(entry.name)) throw new SheetRefused('not_allowed')
  if (entry.packed === 0) return
  const head = peekPart(file, entry)
  if (nestedMagics.some((magic) => head.subarray(0, magic.length).equals(magic))) throw new SheetRefused('not_allowed')
  if (/\.(xml|rels|vml)$/i.test(entry.name)) refuseDoctype(head.toString('latin1'))
}

/** Office files never have a document type; one is the door to entity bombs and outside files. */
function refuseDoctype(head: string): void {
  if (/<!(DOCTYPE|ENTITY)/i.test(head)) throw new SheetRefused('not_allowed')
}
