import { ATTEND_STATE } from '@campus/attendance/contract'
import type { Trial } from '@campus/attendance/contract'
import { Table } from 'antd'
import type { ReactNode } from 'react'
import { StateTag } from '../result/state-tag.tsx'

type Line = { state: string; name: string; before: number; after: number }
type Sample = Trial['sample'][number]

const columns = [
  { key: 'name', title: '状态', dataIndex: 'name', width: 120 },
  { key: 'before', title: '现在', dataIndex: 'before', width: 88, align: 'right' as const },
  { key: 'after', title: '修改后', dataIndex: 'after', width: 88, align: 'right' as const },
  { key: 'change', title: '变化', width: 88, align: 'right' as const, render: (_: unknown, line: Line) => signed(line.after - line.before) },
]
const people = [
  { key: 'date', title: '日期', dataIndex: 'lesson_date', width: 112 },
  { key: 'title', title: '节次', dataIndex: 'title', width: 120 },
  { key: 'name', title: '姓名', dataIndex: 'user_name', width: 96 },
  { key: 'dept', title: '班级', dataIndex: 'dept_name', width: 120 },
  { key: 'to', title: '变化', render: (_: unknown, row: Sample) => <><StateTag state={row.from_state} /> → <StateTag state={row.to_state} /></> },
]

/** What a rule would change: counts by state before and after, and the first people it touches. */
export function TrialPanel({ trial }: { trial: Trial }): ReactNode {
  const lines = Object.entries(ATTEND_STATE.names).map(([state, name], at): Line => ({ state, name, before: trial.before[at] ?? 0, after: trial.after[at] ?? 0 })).filter(line => line.before + line.after > 0)
  return (
    <>
      <p>共判定 {trial.before.reduce((sum, n) => sum + n, 0)}条考勤，其中 <b className="kit-number">{trial.changed}</b>条会变化。</p>
      <Table<Line> size="small" rowKey="state" columns={columns} dataSource={lines} pagination={false} />
      {trial.sample.length > 0 && (
        <Table<Sample> size="small" rowKey={row => `${row.lesson_date} ${row.user_id} ${row.title}`} columns={people} dataSource={trial.sample} pagination={{ pageSize: 20, showSizeChanger: false }} scroll={{ y: 240 }} />
      )}
    </>
  )
}

function signed(n: number): string {
  return n > 0 ? `+${n}` : String(n)
}
