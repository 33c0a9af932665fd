import { informApi, informReport, surveyApi, surveyList, surveyReport } from '@campus/publishing/contract'
import { PageTabs, usePage } from '@kit/web'
import { ReportPage, useReport } from '@kit/web/report'
import type { Drill, ReportRow } from '@kit/web/report'
import type { ChartData } from '@kit/web/chart'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AnsweredList, AnsweredReport } from './answers.tsx'
import './statistics.css'

const staff_scene = '2'

const tabs = [
  { key: 'notice', label: '通知' },
  { key: 'survey', label: '问卷' },
  { key: 'survey-report', label: '问卷统计' },
] as const
const surveys = { api: surveyApi, list: surveyList, report: surveyReport, word: '问卷调查' } as const

/** 通知统计: what was sent and how it was read, and surveys with their answers (chapter 60 §5). */
export default function Inform(): ReactNode {
  const { search, setSearch } = usePage()
  const tab = tabs.find(one => one.key === search.tab)?.key ?? 'notice'
  const head = <PageTabs tabs={tabs} value={tab} onChange={key => setSearch({ tab: key })} />
  if (tab === 'survey') return <AnsweredList of={surveys} head={head} />
  return (
    <div className="stat-page">
      {head}
      {tab === 'notice' ? <Notices /> : <AnsweredReport of={surveys} />}
    </div>
  )
}

/** What was sent and how it was read; a number opens the notices behind it. */
function Notices(): ReactNode {
  const of = useReport(informReport, informApi.notice)
  const navigate = useNavigate()
  const drill: Drill = (row, _measure, asked) => {
    const { by = 'week', kind, from, to, scene } = asked
    const group = row === null ? undefined : String(row['group_id'])
    const days = by === 'week' && group !== undefined ? { from: group, to: weekEnd(group) } : { from: from ?? '', to: to ?? '' }
    const of_kind = by === 'kind' ? group : kind
    const search = { ...days, ...(of_kind === undefined ? {} : { kind: of_kind }) }
    return { open: () => void navigate({ to: scene === staff_scene ? '/CustomNoticeTeacher' : '/CustomNotice', search }) }
  }
  return (
    <ReportPage
      of={of}
      figures={['posts', 'expected', 'read', 'read_rate', 'unreachable', 'median']}
      chart={chartOf}
      drill={drill}
      exportCall={informApi.export}
      empty="这段时间没有发布通知"
    />
  )
}

function weekEnd(monday: string): string {
  return new Date(Date.parse(monday) + 6 * 86_400_000).toISOString().slice(0, 10)
}

function chartOf(rows: readonly ReportRow[]): ChartData {
  const numbers = (name: string) => rows.map(row => Number(row[name] ?? 0))
  return {
    kind: 'bar',
    categories: rows.map(row => String(row['group_name'] ?? '')),
    series: [
      { name: '应读', values: numbers('expected') },
      { name: '已读', values: numbers('read') },
    ],
  }
}
