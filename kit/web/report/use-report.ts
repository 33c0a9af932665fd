import type { Call, FilterFacts, KeyFacts, MeasureFacts, Report } from '@kit/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { send } from '../call/call.ts'
import { listQueryOf, withValues } from '../list/list-query.ts'
import type { FieldExtra } from '../list/fields-of.ts'
import { fieldsOf } from '../list/fields-of.ts'
import type { Fields } from '../list/fields.ts'
import { usePage } from '../page/page-context.ts'
import type { PageSearch } from '../page/page-context.ts'
import { spanOf } from '../parts/date-span.ts'
import type { DateSpan, SpanMode } from '../parts/date-span.ts'
import { schoolToday } from '../parts/school-time.ts'

/** Rows of the largest page: what a chart draws at most. */
const chart_rows = 300

export type ReportRow = Readonly<Record<string, unknown>>
type Answer = { list: ReportRow[]; total: number; totals: Readonly<Record<string, number | null>> }

/** A report on its way to the screen. Days, filters, sort, page and view live in the address bar. */
export type ShownReport = {
  fact: Pick<Report, 'title' | 'keys' | 'measures' | 'range' | 'sheet'>
  call: Call
  fields: Fields<ReportRow, string>
  home: string
  data: Answer | undefined
  loading: boolean
  error: Error | null
  refresh: () => Promise<unknown>
  span: DateSpan
  /** filters of the address, without days, sort and page */
  values: PageSearch
  /** filters and days, as a drill or an export carries them */
  asked: PageSearch
  sort: string | undefined
  view: 'table' | 'chart'
  page_index: number
  page_size: number
  change: (patch: Record<string, string | undefined>) => void
  goTo: (page_index: number, page_size: number) => void
}

const own = ['from', 'to', 'sort', 'view']

/**
 * Reads a report by the address bar; without days it shows those of its usual range.
 * @param extras pickers of filters that refer to something, by the filter's name
 * @param first what is shown before somebody chooses
 */
export function useReport<K extends KeyFacts, M extends MeasureFacts, F extends FilterFacts>(
  fact: Report<K, M, F>,
  call: Call,
  extras: Partial<Record<keyof F & string, FieldExtra<ReportRow>>> = {},
  first: ShownReport['view'] = 'table',
): ShownReport {
  const { path, active, search, setSearch } = usePage()
  const { page_index, page_size, values: given } = listQueryOf(search, undefined)
  const span = spanIn(search, fact.range.usual)
  const values = Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name)))
  const asked = { ...values, from: span.from, to: span.to }
  const view = search['view'] === 'chart' || search['view'] === 'table' ? search['view'] : first
  const page = view === 'chart' ? { page_index: 1, page_size: chart_rows } : { page_index, page_size }
  const input = { ...asked, ...page, ...(search['sort'] === undefined ? {} : { sort: search['sort'] }) }
  const query = useQuery({ queryKey: [call.call, input], queryFn: ({ signal }) => send<Answer>(call, input, { signal, quiet: true }), placeholderData: keepPreviousData, enabled: active })
  const fields = fieldsOf(fact.sheet, extras)
  return {
    fact, call, fields, home: path, data: query.data, loading: query.isFetching, error: query.error, refresh: () => query.refetch(),
    span, values, asked, sort: search['sort'], view, page_index, page_size,
    change: patch => setSearch(withValues(search, patch)),
    goTo: (index, size) => setSearch({ ...search, page_index: String(index), page_size: String(size) }),
  }
}

/** The days of the address as a tab that shows exactly these, else a range of its own. */
function spanIn({ from, to }: PageSearch, usual: SpanMode): DateSpan {
  if (from === undefined || to === undefined) return spanOf(usual, schoolToday())
  const modes: SpanMode[] = ['day', 'week', 'month']
  return modes.map(mode => spanOf(mode, from)).find(span => span.from === from && span.to === to) ?? { mode: usual, from, to }
}
