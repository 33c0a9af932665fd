import { commonErrors, fail } from '@kit/contract'
import type { Call, FilterFacts, KeyFacts, MeasureFacts, Report } from '@kit/contract'
import { z } from 'zod'
import { exportHandler } from '../export/index.ts'
import type { ExportHandler } from '../export/index.ts'
import type { Ctx } from '../http/context.ts'

/** What every report is asked with; an export of nothing asked has none. */
const Span = z.looseObject({ from: z.string(), to: z.string() })

/** Answers the export of a report by the report's own function, unpaged, with its totals as the last line. */
export function reportExport<DB, E extends Call, K extends KeyFacts, M extends MeasureFacts, F extends FilterFacts>(
  call: E,
  of: Report<K, M, F>,
  read: (ctx: Ctx<DB>, query: z.output<Report<K, M, F>['query']>) => Promise<{ list: Record<string, unknown>[]; total: number; totals: Record<string, unknown> }>,
): ExportHandler<E> {
  const kept = z.custom<z.output<Report<K, M, F>['query']>>()
  return exportHandler<DB, E, (typeof of.sheet)['row'], FilterFacts, string>(call, of.sheet, (ctx, query) => {
    if (!Span.safeParse(query).success) throw fail(commonErrors.malformed)
    return read(ctx, kept.parse(query))
  })
}
