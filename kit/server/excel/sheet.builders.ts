import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { writeXlsx } from 'hucre/xlsx'
import type { WriteSheet } from 'hucre/xlsx'

/** One entry of a hand-made zip; `declared` forges the inflated size. */
export interface ZipPiece {
  name: string
  content: Buffer | string
  stored?: boolean
  declared?: number
}

/** Writes a zip file byte by byte, so that every field can lie. `count` forges the number of entries. */
export function buildZip(pieces: ZipPiece[], forged: { count?: number } = {}): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, stored, declared } of pieces) {
    const bytes = Buffer.from(content)
    const packed = stored ? bytes : deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(stored ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(declared ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name))
    files.push(file)
    offset += file.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  const count = forged.count ?? pieces.length
  end.writeUInt16LE(Math.min(count, 0xffff), 4)
  end.writeUInt16LE(Math.min(count, 0xffff), 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  const wide = count > 0xffff ? wideEnd(count, central.length, offset) : Buffer.alloc(0)
  return Buffer.concat([...files, central, wide, Buffer.from('PK\x05\x06'), end])
}

/** The zip64 end record and its locator. */
function wideEnd(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(76)
  record.writeUInt32LE(0x06064b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  record.writeUInt32LE(0x07064b50, 56)
  record.writeBigUInt64LE(BigInt(offset + size), 64)
  return record
}

export interface XlsxPieces {
  /** What stands inside sheetData, or the whole sheet when it starts with `<?xml`. */
  rows: string
  afterRows?: string
  /** Content of sst. */
  strings?: string
  /** Content of styleSheet. */
  styles?: string
  workbookPr?: string
  contentTypes?: string
  extra?: ZipPiece[]
  sheet?: Partial<ZipPiece>
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const relationTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A minimal workbook around hand-written sheet XML. */
export function xlsxPieces(pieces: XlsxPieces): ZipPiece[] {
  const { rows, afterRows = '', strings = '', styles = '', workbookPr = '', contentTypes = '', extra = [], sheet = {} } = pieces
  const relation = (id: string, type: string, target: string) => `<Relationship Id="${id}" Type="${relationTypes}/${type}" Target="${target}"/>`
  const relations = (content: string) => `${xmlHead}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</Relationships>`
  const sheetXml = rows.startsWith('<?xml') ? rows : `${xmlHead}<worksheet ${main}><sheetData>${rows}</sheetData>${afterRows}</worksheet>`
  return [
    { name: '[Content_Types].xml', content: `${xmlHead}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${contentTypes}</Types>` },
    { name: '_rels/.rels', content: relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')) },
    { name: 'xl/workbook.xml', content: `${xmlHead}<workbook ${main}>${workbookPr}<sheets><sheet name="名单" sheetId="1" r:id="rId1"/></sheets></workbook>` },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: relations(relation('rId1', 'worksheet', 'worksheets/sheet1.xml') + relation('rId2', 'sharedStrings', '/xl/sharedStrings.xml') + relation('rId3', 'styles', 'styles.xml')),
    },
    { name: 'xl/sharedStrings.xml', content: `${xmlHead}<sst ${main}>${strings}</sst>` },
    { name: 'xl/styles.xml', content: `${xmlHead}<styleSheet ${main}>${styles}</styleSheet>` },
    { name: 'xl/worksheets/sheet1.xml', content: sheetXml, ...sheet },
    ...extra,
  ]
}

/** A workbook of `xlsxPieces` as the bytes of its file. */
export function buildXlsx(pieces: XlsxPieces): Buffer {
  return buildZip(xlsxPieces(pieces))
}

/** A workbook of several sheets, as another program writes it. */
export async function buildSheets(sheets: WriteSheet[]): Promise<Buffer> {
  return Buffer.from(await writeXlsx({ sheets }))
}

export interface SheetFolder {
  path: string
  save(name: string, content: Buffer | string): Promise<string>
  remove(): Promise<void>
}

export async function makeFolder(): Promise<SheetFolder> {
  const path = await mkdtemp(join(tmpdir(), `sheet-${randomUUID()}-`))
  return {
    path,
    async save(name, content) {
      const file = join(path, name)
      await writeFile(file, content)
      return file
    },
    remove: () => rm(path, { recursive: true }),
  }
}
