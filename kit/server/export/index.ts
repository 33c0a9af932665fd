export { exportHandler } from './export-of.ts'
export type { ExportHandler, ReadPage } from './export-of.ts'
export { labelPort, sheetWordsPort } from './words.port.ts'
export type { WordContext } from './words.port.ts'
