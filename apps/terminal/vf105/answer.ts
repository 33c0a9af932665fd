import { batch_errors, codes, partly, sizeText } from '@kit/terminal-protocol/vf105'
import { z } from 'zod'

/** What a command came to; a success of a write has no data. */
export type Answer = { code: string; message: string; data?: unknown }
/** A row that failed: its name and why. */
export type RowFault = Readonly<Record<string, string>>

const most_on_page = 100
const Page = z.number().int().min(0)
const Size = z.number().int().min(1)
const Fields = z.record(z.string(), z.unknown()).catch({})

export function done(data?: unknown): Answer {
  return { code: codes.ok, message: 'success', ...(data === undefined ? {} : { data }) }
}

/** Nothing was done. */
export function refused(message: string): Answer {
  return { code: codes.parameter, message, data: [] }
}

/** What could be done is done. */
export function doneBut(faults: readonly RowFault[]): Answer {
  return faults.length === 0 ? done() : { code: codes.failed, message: partly, data: faults }
}

/** The rows of a batch, or why there are none; how many they may be is asked before (`tooMuch`). */
export function readBatch(data: unknown): unknown[] | Answer {
  return Array.isArray(data) ? data : refused(batch_errors.no_array)
}

export function isAnswer(value: unknown[] | Answer): value is Answer {
  return !Array.isArray(value)
}

/** One page of what was found. */
export function pageOf(rows: readonly unknown[], asked: Record<string, unknown>, most = most_on_page): Answer {
  const page = Page.safeParse(asked.page)
  if (!page.success) return refused(batch_errors.page)
  const size = Size.safeParse(asked.size)
  if (!size.success || size.data > most) return refused(sizeText(most))
  const content = rows.slice(page.data * size.data, (page.data + 1) * size.data)
  return done({ page: page.data, size: size.data, total: rows.length, totalPage: Math.ceil(rows.length / size.data), count: content.length, content })
}

/** What was sent as an object; an empty one for anything else. */
export function asObject(value: unknown): Record<string, unknown> {
  return Fields.parse(value)
}
