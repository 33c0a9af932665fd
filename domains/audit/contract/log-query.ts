import { Day, filter, page_sizes, QueryFlag } from '@kit/contract'
import { z } from 'zod'

/** Days one query may span, both ends included (chapter 10 §4). */
export const most_days = 92
/** What a list counts at most; above it says 10,000+. */
export const most_counted = 10_000

/** A position in a journal, as a page answered it. */
export const Cursor = z.string().max(120)

const size_msg = '每页条数只能是20、50、100、200、300'

/** From – to in days of the school, both included; without them the last seven days. */
export const LogSpan = z.object({ from: filter(Day), to: filter(Day) })

/** Page of a journal: newest first, from a position on. */
export const LogPaging = z.object({ cursor: Cursor.optional(), page_size: z.coerce.number().refine(n => page_sizes.some(size => size === n), { error: size_msg }).default(20) })

/** `1`: also the lines that pages make by themselves (`routine_calls`). */
export const Routine = filter(QueryFlag)

const text = filter(z.string().trim().min(1).max(50))
const op_type = filter(z.coerce.number().int().min(1).max(14))

/** Filters of the operation log. `person`: name, or number written in signs of the keyboard; `batch`: the number of an import batch. */
export const OperationFilter = LogSpan.extend({
  person: text,
  op_type,
  module: filter(z.string().max(40)),
  ok: filter(QueryFlag),
  target: text,
  batch: text,
  ip: text,
  routine: Routine,
})

/** Filters of the archive journal. `dept`: part of the department's name as it was then. */
export const ArchiveFilter = LogSpan.extend({
  person_kind: filter(z.coerce.number().int().min(1).max(9)),
  person: text,
  dept: text,
  field: filter(z.string().max(60)),
  source: filter(z.string().max(12)),
  operator: text,
  op_type,
  batch: text,
})

/** Reason of an export of a journal; always asked for, the server refuses an empty one with 422. */
export const ExportReason = z.string().trim().max(100, { error: '超过100个字' }).default('')

/** A page of a journal. `total` stops at 10,000; the positions lead to the older and the newer page, null at the end; `newest` is where this page begins. */
export function logPage<T extends z.core.$ZodType>(row: T) {
  return z.object({
    list: z.array(row),
    total: z.number().int().min(0),
    is_bounded: z.boolean(),
    older: Cursor.nullable(),
    newer: Cursor.nullable(),
    newest: Cursor.nullable(),
  })
}

/** A day of the strip above a journal. */
export const DayCount = z.object({ day: Day, n: z.number().int(), refused: z.number().int() })
export type DayCount = z.output<typeof DayCount>
