import { bulk_export_cap, bulk_export_code, export_cap, peopleErrors, reason_above } from '@campus/people/contract'
import type { Failure } from '@kit/contract'

/** How many rows one export of a holder of these codes may have (chapter 20 rule 32). */
export function capOf(codes: ReadonlySet<string>): number {
  return codes.has(bulk_export_code) ? bulk_export_cap : export_cap
}

/** Why so many rows may not be exported; null when they may. */
export function sizeFailure(rows: number, codes: ReadonlySet<string>, reason: string | null): Failure | null {
  if (rows > capOf(codes)) return peopleErrors.exportTooBig
  return rows > reason_above && reason === null ? peopleErrors.reasonNeeded : null
}
