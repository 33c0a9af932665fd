import { control_phases, controlApi } from '@campus/exams/contract'
import type { ControlRow, ExamRow } from '@campus/exams/contract'
import { instantText } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Table, Tag } from 'antd'
import type { ReactNode } from 'react'

type Devices = ControlRow['boards']
const colors: Readonly<Record<ControlRow['phase'], string>> = { draft: 'default', planned: 'blue', active: 'green', ended: 'default' }

/** 管制: which boards show the exam and which doors open for it, room by room (chapter 55 rule 31). */
export function ControlTab({ exam }: { exam: ExamRow }): ReactNode {
  const query = useCall(controlApi.read, { exam_id: exam.exam_id })
  const columns = [
    { key: 'session', title: '场次', width: 184, render: (_: unknown, row: ControlRow) =>
      `${instantText(row.from).slice(5, 16)} 起 ${row.session_name}` },
    { key: 'room', title: '考场', width: 160, render: (_: unknown, row: ControlRow) => `${row.room_number} ${row.place_name}` },
    { key: 'phase', title: '状态', width: 88, render: (_: unknown, row: ControlRow) =>
      <Tag color={colors[row.phase]}>{control_phases[row.phase]}</Tag> },
    { key: 'until', title: '结束', width: 120, render: (_: unknown, row: ControlRow) => instantText(row.until).slice(5, 16) },
    { key: 'boards', title: '班牌考场模式', width: 224, render: (_: unknown, row: ControlRow) => <DeviceTags list={row.boards} none="没有班牌" /> },
    { key: 'doors', title: '考场门禁', width: 224, render: (_: unknown, row: ControlRow) => <DeviceTags list={row.doors} none="没有门禁" /> },
    { key: 'people', title: '放行', width: 72, align: 'right' as const, render: (_: unknown, row: ControlRow) =>
      (row.doors.length === 0 ? '—' : `${row.people}人`) },
  ]
  return (
    <>
      <div className="exam-head">
        <small>发布安排后自动下达：开考前30分钟班牌显示考场信息，考生和监考可开考场门，到场次结束自动失效；校门不受影响</small>
        <Button className="exam-spring" onClick={() => void query.refetch()}>刷新</Button>
      </div>
      <Loaded query={query} rows={8}>
        {({ list }) => (
          <Table<ControlRow>
            size="small" rowKey={row =>
              `${row.session_id} ${row.room_id}`} columns={columns} dataSource={list} pagination={{ pageSize: 50, showSizeChanger: false }}
            scroll={{ x: 1072, y: 'calc(100vh - 340px)' }} locale={{ emptyText: '还没有编排座位：管制按使用的考场下达' }}
          />
        )}
      </Loaded>
    </>
  )
}

function DeviceTags({ list, none }: { list: Devices; none: string }): ReactNode {
  if (list.length === 0) return <small>{none}</small>
  return list.map(one => <Tag key={one.device_name} color={one.online ? 'green' : 'orange'}>{one.device_name}{one.online
    ? '' : '（离线）'}</Tag>)
}
