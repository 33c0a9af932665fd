import { arrangeApi } from '@campus/attendance/contract'
import type { Expectation } from '@campus/attendance/contract'
import { schoolToday } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { DatePicker, Empty, Table } from 'antd'
import { dayjs } from '@kit/web/day'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { StateTag } from '../result/state-tag.tsx'
import { PersonPicker } from '@campus/people/web'

const columns = [
  { key: 'time', title: '时间', width: 120, render: (_: unknown, row: Expectation) => `${clockOf(row.begin)}–${clockOf(row.end)}` },
  { key: 'title', title: '节次', width: 128, dataIndex: 'title' },
  { key: 'place', title: '地点', width: 112, render: (_: unknown, row: Expectation) => row.place_name ?? '不限' },
  { key: 'why', title: '规则来自', render: (_: unknown, row: Expectation) => row.exempt ?? row.why },
  { key: 'points', title: '考勤设备', width: 88, align: 'right' as const, render: (_: unknown, row: Expectation) => (row.points === 0 ? <span className="attend-warn">无</span> : row.points) },
  { key: 'state', title: '判定', width: 112, render: (_: unknown, row: Expectation) => <StateTag state={row.state} /> },
  { key: 'sentence', title: '依据', dataIndex: 'sentence' },
]

/** 某日预览: what one person is expected to do on a day, which rule decides and where it comes from. */
export function PreviewTab(): ReactNode {
  const [date, choose] = useState(schoolToday())
  const [user_id, pick] = useState<string>()
  const query = useCall(arrangeApi.preview, { date, user_id: user_id ?? '0' }, { enabled: user_id !== undefined })
  return (
    <>
      <div className="attend-ask">
        <DatePicker aria-label="日期" allowClear={false} value={dayjs(date)} onChange={day => choose(dayjs(day).format('YYYY-MM-DD'))} />
        <div className="attend-person"><PersonPicker of={['student', 'teacher']} value={user_id} onChange={pick} /></div>
      </div>
      {user_id === undefined
        ? <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择日期和人员，查看当天每节课由哪条规则判定" />
        : <Loaded query={query} rows={8} empty="当天不需要考勤" isEmpty={({ list }) => list.length === 0}>{({ list }) => <Table<Expectation> size="small" rowKey={row => `${row.expect_kind}/${row.occurrence_id}`} columns={columns} dataSource={list} pagination={false} />}</Loaded>}
    </>
  )
}

function clockOf(instant: string): string {
  return new Date(Date.parse(instant) + 8 * 3_600_000).toISOString().slice(11, 16)
}
