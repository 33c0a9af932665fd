import { SheetRefused } from '@kit/server/excel'
import type { App } from '@kit/server/http'
import { deskPort } from '../desk.ts'
import { fileOf } from './batch-access.ts'
import type { BatchRow } from './batch.queries.ts'
import type { SheetText } from './sheet-text.ts'

/** The sheet of a batch that was read before; null when its file is gone (old batches) or was refused. */
export async function openKept(app: App, batch: BatchRow): Promise<SheetText | null> {
  try {
    return await deskPort.one(app).sheets.open(fileOf(app, batch))
  } catch (error) {
    if (error instanceof SheetRefused || isMissing(error)) return null
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
