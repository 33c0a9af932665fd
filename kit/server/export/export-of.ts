import type { Call, Endpoint, FilterFacts, FilterShape, Input, List, PageQuery } from '@kit/contract'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { exportList, rows_per_page } from '../excel/index.ts'
import type { ListDesk, ListExport, OpenedList } from '../excel/index.ts'
import type { Ctx, FileReply, JobReply, Pre } from '../http/context.ts'
import { conditionsOf, dictionariesOf, readWords, sheetColumns } from './list-sheet.ts'

type Shape = z.core.$ZodType
type Asked<F extends FilterFacts> = z.output<z.ZodObject<FilterShape<F> & typeof PageQuery.shape>>
// What was asked has been parsed with the request; a second time would undo its transforms.
const Reasoned = z.looseObject({ reason: z.string().default('') })
/** The function that answers the page of a list. */
export type ReadPage<DB, R extends Shape, F extends FilterFacts> = (ctx: Ctx<DB>, query: Asked<F>) => Promise<Page<z.output<R>>>
/** `totals`: figures over all pages, the last line of the sheet */
type Page<Row> = { list: Row[]; total: number; totals?: Record<string, unknown> }

/** An export route: the server makes its job known by itself. */
export type ExportHandler<E extends Endpoint> = {
  list: ListExport
  before: (pre: Pre, input: Input<E>) => Promise<<DB>(ctx: Ctx<DB>) => Promise<FileReply | JobReply>>
}

/**
 * Answers the export of a list by the list's own page function, unpaged, with the list's own columns: up to 5,000 rows at once, more by a job (chapter 10 J3).
 * The page function asks its row scope as for the screen; refusals are its own, and 422 for too many rows or without a reason that is asked for.
 * @param call the export call; names the export, and `<domain>.<noun>` names its subject in the log
 */
export function exportHandler<DB, E extends Call, R extends Shape, F extends FilterFacts, Name extends string>(
  call: E,
  of: List<R, F, Name>,
  readPage: ReadPage<DB, R, F>,
): ExportHandler<E> {
  const exported: ListExport = {
    name: call.call,
    is_about_people: of.is_about_people ?? false,
    open: (desk, query) => openList(desk, call.call.split('.').slice(0, 2).join('.'), of, readPage, query),
  }
  return {
    list: exported,
    before: (pre, input) => {
      const { reason, ...query } = Reasoned.parse(input)
      return exportList(pre, exported, query, reason)
    },
  }
}

async function openList<DB, R extends Shape, F extends FilterFacts, Name extends string>(
  desk: ListDesk, target_kind: string, of: List<R, F, Name>, readPage: ReadPage<DB, R, F>, query: object,
): Promise<OpenedList> {
  const kept = z.custom<Asked<F>>()
  const page = (page_index: number) => desk.read<DB, Page<z.output<R>>>(db => readPage(contextOf(desk, db), kept.parse({ ...query, page_index, page_size: rows_per_page })))
  const first = await page(1)
  const { school_name, words, conditions } = await desk.read<unknown, { school_name: string; words: Parameters<typeof sheetColumns>[1]; conditions: string[] }>(async db => {
    const context = { ...desk, db }
    const said = await readWords(desk.app, context, dictionariesOf(of))
    return { ...said, conditions: await conditionsOf(desk.app, context, of, query, said.words) }
  })
  const columns = sheetColumns<z.output<R>>(of.columns, words)
  const lines = (list: readonly z.output<R>[]) => list.map(row => columns.map(column => column.text(row)))
  const { title, unit = '条' } = of
  return {
    title, unit, school_name, total: first.total, columns, conditions,
    noted: { target_kind, target_name: `${title} ${first.total}${unit}` },
    async* pages() {
      yield lines(first.list)
      for (let at = 2; (at - 1) * rows_per_page < first.total; at += 1) yield lines((await page(at)).list)
      const { totals } = first
      if (totals) yield [columns.map(({ name }, at) => (at === 0 ? '合计' : numberText(totals[name])))]
    },
  }
}

/** What a page function is given outside a request. Its scope is computed with the same identity; its notes belong to the request that began the export. */
function contextOf<DB>({ app, me, school_id, now }: ListDesk, db: Kysely<DB>): Ctx<DB> {
  const request = { request_id: '', ip: '', device_label: '', client: 'web' } as const
  return { app, me, school_id, now, db, log: app.log, request, note: () => undefined, scoped: () => undefined }
}

function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : ''
}
