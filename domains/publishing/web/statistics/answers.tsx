import type { checkinApi, checkinList, checkinReport } from '@campus/publishing/contract'
import { NOTICE_STATE } from '@campus/publishing/contract'
import type { PostRow } from '@campus/publishing/contract'
import { fieldsOf, Filters, ListPage, Table, useResourceList } from '@kit/web'
import type { ChartData } from '@kit/web/chart'
import { ReportPage, useReport } from '@kit/web/report'
import type { ReportRow } from '@kit/web/report'
import { Link } from '@tanstack/react-router'
import { Progress, Tag } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { percent, state_colors } from '../post/variants.ts'

/** Check-ins or surveys: what was sent, and who has answered it. */
type Answered = { api: typeof checkinApi; list: typeof checkinList; report: typeof checkinReport; word: string }

const stats_pages: Readonly<Record<number, string>> = { 1: '/CustomDetail', 2: '/CustomDetailTeacher' }

function TitleLink({ row: { id, title, scene } }: { row: PostRow }): ReactNode {
  return (
    <Link className="kit-link" to={stats_pages[scene] ?? '/CustomDetail'} search={{ id }}>
      {title}
    </Link>
  )
}

function Share({ row: { expected, submitted, reply_kind } }: { row: PostRow }): ReactNode {
  if (expected === null || reply_kind === 0) return ''
  return <Progress size="small" aria-label="已提交" percent={percent(submitted, expected)} format={() => `${submitted}/${expected}`} />
}

function fieldsFor(fact: Answered['list']) {
  return fieldsOf(fact, {
    title: { default_action: true, cell: row => <TitleLink row={row} /> },
    state: { cell: row => <Tag color={state_colors[row.state]}>{NOTICE_STATE.names[row.state]}</Tag> },
    submitted: { cell: row => <Share row={row} /> },
  })
}

/** The list of them; a title leads to its own figures and answers. */
export function AnsweredList({ of: { api, list: fact, word }, head }: { of: Answered; head: ReactNode }): ReactNode {
  const fields = useMemo(() => fieldsFor(fact), [fact])
  const list = useResourceList(api.list, fields, { part: 'list' })
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['keyword', 'state', 'mine', 'from']} />}>
      <Table
        of={list}
        show={['title', 'state', 'audience_text', 'read', 'submitted', 'unreachable', 'sent_at', 'author_name']}
        more={['owner_dept_name', 'due_at', 'created_at']}
        empty={`还没有${word}：在“新建通知”中选择类型“${word}”`}
      />
    </ListPage>
  )
}

/** Who has answered, by post and class. */
export function AnsweredReport({ of: { api, report, word } }: { of: Answered }): ReactNode {
  const of = useReport(report, api.report)
  return <ReportPage of={of} chart={chartOf} exportCall={api.export} empty={`这段时间没有发布${word}`} />
}

function chartOf(rows: readonly ReportRow[]): ChartData {
  const numbers = (name: string) => rows.map(row => Number(row[name] ?? 0))
  return {
    kind: 'bar',
    categories: rows.map(row => `${String(row['dept_name'] ?? '')} ${String(row['title'] ?? '')}`),
    series: [
      { name: '应提交', values: numbers('expected') },
      { name: '已提交', values: numbers('submitted') },
    ],
  }
}
