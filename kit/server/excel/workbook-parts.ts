import { readNumberFormat } from './number-format.ts'
import type { CellFormat } from './number-format.ts'
import { SheetRefused } from './refusal.ts'
import type { XlsxParts } from './xlsx-guard.ts'
import { attribute, scanXml } from './xml-scanner.ts'
import type { ZipEntry } from './zip-directory.ts'
import { readPart } from './zip-part.ts'

export interface Workbook {
  /** The visible sheets in the order of their tabs; a hidden one only where all are. */
  sheets: WorkbookSheet[]
  shared_strings: ZipEntry | undefined
  /** How values are shown, by the style index of their cell. */
  formats: CellFormat[]
  /** The workbook counts days from 1904. */
  date_1904: boolean
}

interface WorkbookSheet {
  name: string
  entry: ZipEntry
}

interface Relation {
  id: string
  type: string
  path: string
}

/** Finds the visible sheets, their texts and their number formats. */
export function openWorkbook(file: Buffer, parts: XlsxParts): Workbook {
  const root = relations(file, parts, '').find(({ type }) => type === 'officeDocument')
  const entry = root && parts.get(root.path)
  if (!root || !entry) throw new SheetRefused('unreadable')

  const related = relations(file, parts, root.path)
  if (related.some(({ type }) => type === 'vbaProject')) throw new SheetRefused('not_allowed')
  const { listed, date_1904 } = readWorkbook(readPart(file, entry))
  const paths = new Map(related.flatMap(({ id, type, path }) => (type === 'worksheet' ? [[id, path] as const] : [])))
  const found = listed.flatMap(sheet => {
    const part = parts.get(paths.get(sheet.id) ?? '')
    return part ? [{ ...sheet, entry: part }] : []
  })
  const visible = found.filter(({ is_hidden }) => !is_hidden)
  const sheets = visible.length > 0 ? visible : found.slice(0, 1)
  if (sheets.length === 0) throw new SheetRefused('unreadable')
  // Two tabs over one part would let a small file be read for ever.
  if (new Set(sheets.map(sheet => sheet.entry)).size < sheets.length) throw new SheetRefused('not_allowed')

  const partOf = (type: string) => parts.get(related.find((relation) => relation.type === type)?.path ?? '')
  const styles = partOf('styles')
  const formats = styles ? readFormats(readPart(file, styles)) : []
  return { sheets: sheets.map(sheet => ({ name: sheet.name, entry: sheet.entry })), shared_strings: partOf('sharedStrings'), formats, date_1904 }
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

type ListedSheet = { id: string; name: string; is_hidden: boolean }

function readWorkbook(xml: string): { listed: ListedSheet[]; date_1904: boolean } {
  const listed: ListedSheet[] = []
  let date_1904 = false
  const open = (name: string, attributes: string) => {
    if (name === 'workbookPr') date_1904 = isTrue(attribute(attributes, 'date1904'))
    if (name !== 'sheet') return
    const is_hidden = (attribute(attributes, 'state') ?? 'visible') !== 'visible'
    listed.push({ id: attribute(attributes, '[\\w.-]+:id') ?? '', name: attribute(attributes, 'name') ?? '', is_hidden })
  }
  scanXml(xml, { open, close() {}, text() {} })
  return { listed, date_1904 }
}

/** A truth value of XML. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on'
}

function readFormats(xml: string): CellFormat[] {
  const codes = new Map<number, string>()
  const formats: CellFormat[] = []
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
