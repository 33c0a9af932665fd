import { InfoCircleOutlined, ReloadOutlined } from '@ant-design/icons'
import { Button, Skeleton, Tooltip } from 'antd'
import { Suspense, useCallback, useId, useState } from 'react'
import type { ReactNode } from 'react'
import { PageBoundary } from '../page/page-boundary.tsx'
import { minuteText } from '../parts/school-time.ts'
import { CardReportContext } from './card-report.ts'
import type { CardReport } from './card-report.ts'
import type { CardView } from './card-views.ts'

type Props = { view: CardView; version: string; more?: ReactNode }

/** The frame of one card: its title with what it means, when its figures came, the way to its rows. What fails inside stays inside. */
export function CardFrame({ view: { fact, Card }, version, more }: Props): ReactNode {
  const [report, setReport] = useState<CardReport>()
  const take = useCallback((next: CardReport) => setReport(next), [])
  const head = useId()
  return (
    <section className="board-frame" aria-labelledby={head}>
      <header>
        <h2 id={head}>{fact.title}</h2>
        <Tooltip title={fact.sentence} trigger={['hover', 'focus']}>
          <button type="button" className="board-info" aria-label={`${fact.title}：${fact.sentence}`}><InfoCircleOutlined aria-hidden /></button>
        </Tooltip>
        <span className="board-right">
          {report && report.at > 0 && <span className="board-at" title="更新时间">{minuteText(report.at)}</span>}
          {report && <Button type="text" size="small" icon={<ReloadOutlined aria-hidden />} loading={report.busy} aria-label={`刷新${fact.title}`} onClick={() => report.again()} />}
          {more}
        </span>
      </header>
      <div className="board-body">
        <PageBoundary version={version}>
          <CardReportContext value={take}>
            <Suspense fallback={<Skeleton active title={false} paragraph={{ rows: 2 }} />}>
              <Card />
            </Suspense>
          </CardReportContext>
        </PageBoundary>
      </div>
    </section>
  )
}
