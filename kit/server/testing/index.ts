export { buildSheets, buildXlsx, buildZip, xlsxPieces } from '../excel/sheet.builders.ts'
