import { readSheet } from '@kit/server/excel'
import { sheetText } from './sheet-text.ts'
import type { SheetText } from './sheet-text.ts'

/** Keeps the sheets read last, so that a grid can be paged and mended without reading the file each time. */
export type SheetCache = {
  /**
   * The sheet of a stored file; two callers at once read it once.
   * @throws SheetRefused with the sentence for the user; ENOENT when the file is gone
   */
  open(file: SheetFile): Promise<SheetText>
}
export type SheetFile = { file_key: string; path: string; file_name: string }

/** Lines above the data: see planReading. */
const header_rows = 5
/** Cells of all kept sheets together; about 60 bytes each. */
const max_cells = 1_500_000

/** An empty cache. */
export function createSheetCache(): SheetCache {
  /** in the order of last use */
  const kept = new Map<string, SheetText>()
  const reading = new Map<string, Promise<SheetText>>()

  const keep = (file_key: string, sheet: SheetText) => {
    kept.delete(file_key)
    kept.set(file_key, sheet)
    let cells = [...kept.values()].reduce((sum, { size }) => sum + size, 0)
    for (const [oldest, { size }] of kept) {
      if (cells <= max_cells || oldest === file_key) return
      kept.delete(oldest)
      cells -= size
    }
  }
  const read = async ({ file_key, path, file_name }: SheetFile) => {
    const { sheets } = await readSheet(path, { file_name, header_rows })
    const sheet = sheetText(sheets)
    keep(file_key, sheet)
    return sheet
  }
  return {
    open(file) {
      const known = kept.get(file.file_key)
      if (known) {
        keep(file.file_key, known)
        return Promise.resolve(known)
      }
      const running = reading.get(file.file_key) ?? read(file).finally(() => reading.delete(file.file_key))
      reading.set(file.file_key, running)
      return running
    },
  }
}
