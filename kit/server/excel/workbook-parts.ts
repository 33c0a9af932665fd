import { readNumberFormat } from './number-format.ts'
import type { NumberFormat } from './number-format.ts'
import { SheetRefused } from './refusal.ts'
import type { XlsxParts } from './xlsx-guard.ts'
import { attribute, scanXml } from './xml-scanner.ts'
import type { ZipEntry } from './zip-directory.ts'
import { readPart } from './zip-part.ts'

export interface Workbook {
  sheet: ZipEntry
  shared_strings: ZipEntry | undefined
  /** How to read a number, by the style index of its cell. */
  formats: NumberFormat[]
  /** The workbook counts days from 1904. */
  date_1904: boolean
}

interface Relation {
  id: string
  type: string
  path: string
}

/** Finds the first visible sheet, its texts and its number formats. */
export function openWorkbook(file: Buffer, parts: XlsxParts): Workbook {
  const root = relations(file, parts, '').find(({ type }) => type === 'officeDocument')
  const entry = root && parts.get(root.path)
  if (!root || !entry) throw new SheetRefused('unreadable')

  const related = relations(file, parts, root.path)
  if (related.some(({ type }) => type === 'vbaProject')) throw new SheetRefused('not_allowed')
  const { sheet_ids, date_1904 } = readWorkbook(readPart(file, entry))
  const sheet = sheet_ids
    .map((id) => related.find((relation) => relation.id === id && relation.type === 'worksheet'))
    .flatMap((relation) => (relation ? parts.get(relation.path) ?? [] : []))
    .at(0)
  if (!sheet) throw new SheetRefused('unreadable')

  const partOf = (type: string) => parts.get(related.find((relation) => relation.type === type)?.path ?? '')
  const styles = partOf('styles')
  return { sheet, shared_strings: partOf('sharedStrings'), formats: styles ? readFormats(readPart(file, styles)) : [], date_1904 }
}

function relations(file: Buffer, parts: XlsxParts, source: string): Relation[] {
  const slash = source.lastIndexOf('/') + 1
  const folder = source.slice(0, slash)
  const entry = parts.get(`${folder}_rels/${source.slice(slash)}.rels`)
  if (!entry) return []
  const found: Relation[] = []
  const open = (name: string, attributes: string) => {
    if (name !== 'Relationship' || attribute(attributes, 'TargetMode') === 'External') return
    const type = attribute(attributes, 'Type') ?? ''
    found.push({
      id: attribute(attributes, 'Id') ?? '',
      type: type.slice(type.lastIndexOf('/') + 1),
      path: resolvePath(folder, attribute(attributes, 'Target') ?? ''),
    })
  }
  scanXml(readPart(file, entry), { open, close() {}, text() {} })
  return found
}

function resolvePath(folder: string, target: string): string {
  const normal = target.replaceAll('\\', '/')
  try {
    // The base is only there to resolve `..` and absolute targets; nothing is fetched.
    const { pathname } = new URL(normal.startsWith('/') ? normal : `/${folder}${normal}`, 'zip://archive')
    return decodeURIComponent(pathname.slice(1)).toLowerCase()
  } catch {
    throw new SheetRefused('unreadable')
  }
}

function readWorkbook(xml: string): { sheet_ids: string[]; date_1904: boolean } {
  const visible: string[] = []
  const hidden: string[] = []
  let date_1904 = false
  const open = (name: string, attributes: string) => {
    if (name === 'workbookPr') date_1904 = isTrue(attribute(attributes, 'date1904'))
    if (name !== 'sheet') return
    const state = attribute(attributes, 'state') ?? 'visible'
    const list = state === 'visible' ? visible : hidden
    list.push(attribute(attributes, '[\\w.-]+:id') ?? '')
  }
  scanXml(xml, { open, close() {}, text() {} })
  return { sheet_ids: [...visible, ...hidden], date_1904 }
}

function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on'
}

function readFormats(xml: string): NumberFormat[] {
  const codes = new Map<number, string>()
  const formats: NumberFormat[] = []
  let inCellFormats = false
  const open = (name: string, attributes: string) => {
    if (name === 'numFmt') codes.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
    else if (name === 'cellXfs') inCellFormats = true
    else if (name === 'xf' && inCellFormats) {
      const id = Number(attribute(attributes, 'numFmtId') ?? '0')
      formats.push(readNumberFormat(id, codes.get(id)))
    }
  }
  const close = (name: string) => {
    if (name === 'cellXfs') inCellFormats = false
  }
  scanXml(xml, { open, close, text() {} })
  return formats
}
