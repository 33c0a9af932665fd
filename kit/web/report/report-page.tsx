import { Segmented } from 'antd'
import type { ReactNode } from 'react'
import { Chart } from '../chart/index.ts'
import type { ChartData, Picked } from '../chart/index.ts'
import { ListExport } from '../export/index.ts'
import type { Call } from '@kit/contract'
import { Filters } from '../list/filters.tsx'
import { ListToolbar } from '../list/list-toolbar.tsx'
import { Pagination } from '../list/pagination.tsx'
import type { ResourceList } from '../list/use-resource-list.ts'
import { PartState } from '../part/index.ts'
import { DateTab } from '../parts/date-tab.tsx'
import { Figure, figureText } from './figure.tsx'
import type { Drill } from './figure.tsx'
import { ReportTable } from './report-table.tsx'
import type { ReportRow, ShownReport } from './use-report.ts'
import './report.css'

const views = [{ value: 'table' as const, label: '表' }, { value: 'chart' as const, label: '图' }]

type Props = {
  of: ShownReport
  /** measures of the strip above; default: all */
  figures?: readonly string[]
  /** what 图 draws of the rows shown, up to 300; absent: no switch */
  chart?: (rows: readonly ReportRow[]) => ChartData
  onPick?: (picked: Picked) => void
  drill?: Drill
  exportCall?: Call
  empty?: string
}

/** The screen of a report: days, filters, the figures of all groups, table with totals or chart, every number open to what is behind it. */
export function ReportPage({ of, figures = Object.keys(of.fact.measures), chart, onPick, drill, exportCall, empty = '这段时间没有数据，可以换一段时间' }: Props): ReactNode {
  const { data, fact, span, change, asked } = of
  const filters = Object.keys(fact.sheet.filters).filter(name => name !== 'from' && name !== 'to')
  const list = listOf(of)
  return (
    <div className="kit-list-page" data-ready={data ? 'list' : of.error ? 'failed' : undefined}>
      <div className="kit-list">
        <div className="kit-report-days">
          <DateTab value={span} onChange={({ from, to }) => change({ from, to })} />
          {chart && <Segmented options={views} value={of.view} onChange={view => change({ view })} />}
        </div>
        {filters.length > 0 && <Filters of={list} show={filters} />}
        <section className="kit-list-card">
          <ListToolbar
            summary={<Strip of={of} figures={figures} drill={drill} />}
            actions={exportCall && <ListExport of={{ total: data?.total ?? 0, values: asked }} fact={fact.sheet} call={exportCall} />}
          />
          {data === undefined ? <PartState query={{ error: of.error, isFetching: of.loading, refetch: of.refresh }} rows={8} /> : of.view === 'chart' && chart ? (
            <Chart title={fact.title} data={chart(data.list)} height={400} onPick={onPick} />
          ) : (
            <>
              <ReportTable of={of} drill={drill} empty={empty} />
              <Pagination of={list} />
            </>
          )}
        </section>
      </div>
    </div>
  )
}

/** The figures of all groups together. */
function Strip({ of: { fact, data, asked }, figures, drill }: { of: ShownReport; figures: readonly string[]; drill?: Drill }): ReactNode {
  return (
    <dl className="kit-report-strip">
      {figures.map(name => {
        const measure = fact.measures[name]
        if (!measure) return null
        const text = figureText(data?.totals[name])
        return (
          <div key={name}>
            <dt>{measure.label}</dt>
            <dd className="kit-number"><Figure text={text} label={`${measure.label}${text}${measure.unit}`} open={drill?.(null, name, asked)?.open} /><small>{measure.unit}</small></dd>
          </div>
        )
      })}
    </dl>
  )
}

/** The report as the search bar and the pager know a list. */
function listOf(of: ShownReport): ResourceList<ReportRow> {
  return {
    fields: of.fields, home: of.home, rows: [], total: of.data?.total ?? 0, page_index: of.page_index, page_size: of.page_size, values: of.values,
    loading: of.loading, first: of.data === undefined, error: of.error, selected: [], select: () => undefined, filterBy: of.change, goTo: of.goTo, refresh: of.refresh,
  }
}
