import type { StreakRow } from '@campus/publishing/contract'
import { Loaded, useCall } from '@kit/web/part'
import { Progress, Table } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { percent } from './variants.ts'
import type { Variant } from './variants.ts'

const page_size = 20
const columns: TableColumnType<StreakRow>[] = [
  { title: '姓名', dataIndex: 'subject_name', width: 112 },
  { title: '班级/部门', dataIndex: 'dept_name', width: 140 },
  {
    title: '已打卡', key: 'done', width: 200,
    render: (_, { done, due, subject_name }) => (
      <Progress size="small" aria-label={`${subject_name}已打卡`} percent={percent(done, due)} format={() => `${done}/${due}天`} />
    ),
  },
  { title: '连续打卡', key: 'streak', width: 96, align: 'right', render: (_, row) => `${row.streak}天` },
  { title: '最长连续', key: 'longest', width: 96, align: 'right', render: (_, row) => `${row.longest}天` },
  { title: '最近打卡', dataIndex: 'last_day', width: 112 },
]

/** 连续打卡 of each pupil: only a day that was due breaks it (chapter 60 rule 21). */
export function Streaks({ variant, id, dept_id }: { variant: Variant; id: string; dept_id: string | undefined }): ReactNode {
  const [page_index, goTo] = useState(1)
  const asked = { notice_id: id, page_index, page_size, ...(dept_id === undefined ? {} : { dept_id }) }
  const query = useCall(variant.api.streaks, asked, { keep: true })
  return (
    <Loaded query={query} rows={4}>
      {({ list, total }) => (
        <Table<StreakRow>
          size="small"
          rowKey="subject_user_id"
          dataSource={list}
          columns={columns}
          locale={{ emptyText: '没有人员' }}
          pagination={{ current: page_index, pageSize: page_size, total, showSizeChanger: false, onChange: goTo, showTotal: count => `共 ${count} 人` }}
        />
      )}
    </Loaded>
  )
}
