import { seatApi } from '@campus/teaching/contract'
import { AppDrawer, secondText } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Table } from 'antd'
import type { ReactNode } from 'react'

type Props = { task_id: string; student_id: string; user_name: string; onClose: () => void }

const columns = [
  { key: 'at', title: '时间', width: 168, render: (_: unknown, row: { at: string }) => secondText(row.at) },
  { key: 'action', title: '操作', width: 112, dataIndex: 'action' }, { key: 'title', title: '课程', width: 176, dataIndex: 'title' },
  { key: 'by', title: '操作人', width: 96, dataIndex: 'by_name' }, { key: 'reason', title: '原因', dataIndex: 'reason' },
]

/** What a pupil did in a task, and why the draw came out as it did. */
export function EventsDrawer({ task_id, student_id, user_name, onClose }: Props): ReactNode {
  const query = useCall(seatApi.events, { task_id, student_id })
  return (
    <AppDrawer size={760} title={`选课记录：${user_name}`} onClose={onClose}>
      <Loaded query={query} rows={6}>
        {({ explanation, list }) => (
          <>
            {explanation.length > 0 && <Alert type="info" title="抽签结果说明" description={<ul
              className="elective-why">{explanation.map(line => <li key={line}>{line}</li>)}</ul>} />}
            <Table size="small" rowKey={row => `${row.at} ${row.action} ${row.title}`} columns={columns} dataSource={list}
              pagination={false} locale={{ emptyText: '没有记录' }} />
          </>
        )}
      </Loaded>
    </AppDrawer>
  )
}
