import { scoreApi } from '@campus/exams/contract'
import type { ExamRow } from '@campus/exams/contract'
import type { Reply } from '@kit/contract'
import { dictionaryName } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Table } from 'antd'
import type { ReactNode } from 'react'

type Row = Reply<typeof scoreApi.differences>['list'][number]

/** 差异: cells where the two entries of a class are not the same; a class hands in when there are none. */
export function Differences({ exam, dept_id, picker }: { exam: ExamRow; dept_id: string; picker: ReactNode }): ReactNode {
  const query = useCall(scoreApi.differences, { exam_id: exam.exam_id, dept_id })
  const columns = [
    { key: 'no', title: '考号', width: 128, render: (_: unknown, row: Row) => row.exam_no ?? '—' },
    { key: 'name', title: '姓名', width: 128, dataIndex: 'user_name' },
    { key: 'subject', title: '科目', width: 128, render: (_: unknown, row: Row) => dictionaryName('SUBJECT', row.subject) },
    { key: 'first', title: '第一次', width: 104, align: 'right' as const, render: (_: unknown, row: Row) => row.first || '空' },
    { key: 'second', title: '第二次', width: 104, align: 'right' as const, render: (_: unknown, row: Row) => row.second || '空' },
    { key: 'hint', title: '', render: () => '核对答题卡后在对应一次的录入中修改' },
  ]
  return (
    <>
      <div className="exam-head">{picker}<Button className="exam-spring" onClick={() => void query.refetch()}>刷新</Button></div>
      <Loaded query={query} rows={8}>
        {({ list }) => (
          <Table<Row>
            size="small" rowKey={row => `${row.user_id} ${row.subject}`} columns={columns} dataSource={list} pagination={{ pageSize: 100,
              showSizeChanger: false }}
            scroll={{ y: 'calc(100vh - 340px)' }} locale={{ emptyText: '两次录入一致' }}
          />
        )}
      </Loaded>
    </>
  )
}
