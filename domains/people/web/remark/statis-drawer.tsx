import { remarkApi } from '@campus/people/contract'
import type { RemarkCount, RemarkField } from '@campus/people/contract'
import { AppDrawer, call, sentenceOf } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Empty, Segmented, Select, Skeleton, Table } from 'antd'
import type { TableColumnsType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import type { Side } from '../organization/dept-place.ts'
import { isStaffType } from '../organization/dept-place.ts'
import { useRemarks } from './use-remarks.ts'
import './remark.css'

const trees = [{ value: 'student', label: '学生' }, { value: 'staff', label: '教职工' }] as const

/** 备注统计: classes and people by the values of a remark, on the day that the page shows. */
export function StatisDrawer({ on, onClose }: { on: string | undefined; onClose: () => void }): ReactNode {
  const query = useRemarks()
  const [chosen, choose] = useState<string>()
  const fields = (query.data ?? []).filter(field => !field.archived)
  const field = fields.find(one => one.id === chosen) ?? fields[0]
  return (
    <AppDrawer size={720} title={on === undefined ? '备注统计' : `备注统计（${on}）`} onClose={onClose}>
      {query.error && !query.data && <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} />}
      {!query.error && !query.data && <Skeleton active />}
      {query.data && !field && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有启用的备注，先在“备注设置”中新增" />}
      {field && <Figures key={field.id} field={field} fields={fields} choose={choose} on={on} />}
    </AppDrawer>
  )
}

function Figures({ field, fields, choose, on }: { field: RemarkField; fields: readonly RemarkField[]; choose: (id: string) => void; on: string | undefined }): ReactNode {
  const of_staff = field.applies_to.some(isStaffType)
  const of_pupils = field.applies_to.some(type => !isStaffType(type))
  const [asked, ask] = useState<Side>('student')
  const tree = asked === 'student' && !of_pupils ? 'staff' : asked
  const query = useQuery({
    queryKey: [remarkApi.statis.call, field.id, tree, on ?? ''],
    queryFn: async ({ signal }) => (await call(remarkApi.statis, { field_id: field.id, tree, on }, { signal, quiet: true })).list,
  })
  return (
    <>
      <div className="remark-head">
        <Select aria-label="备注" value={field.id} options={fields.map(one => ({ value: one.id, label: one.label }))} onChange={choose} />
        {of_staff && of_pupils && <Segmented<Side> aria-label="统计对象" options={[...trees]} value={tree} onChange={ask} />}
      </div>
      {query.error && !query.data && <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} />}
      {!query.error && !query.data && <Skeleton active />}
      {query.data && <Table<RemarkCount> size="small" rowKey="value" pagination={false} columns={columnsOf(field, tree, on, query.data)} dataSource={query.data} />}
    </>
  )
}

function columnsOf(field: RemarkField, tree: Side, on: string | undefined, rows: readonly RemarkCount[]): TableColumnsType<RemarkCount> {
  const most = Math.max(1, ...rows.map(row => row[tree === 'student' ? 'students' : 'staff']))
  const name = { title: field.label, dataIndex: 'value', render: (value: string) => value || '未填' }
  const bar = (people: number) => <span className="remark-bar" aria-hidden><i style={{ width: `${(people / most) * 100}%` }} /></span>
  if (tree === 'staff') return [name, { title: '部门', dataIndex: 'depts', align: 'right' }, { title: '教职工', dataIndex: 'staff', align: 'right', render: (staff: number) => <>{bar(staff)}{staff.toLocaleString('en-US')}</> }]
  return [
    name,
    { title: '班级', dataIndex: 'depts', align: 'right' },
    { title: '男生', dataIndex: 'boys', align: 'right', render: (count: number) => count.toLocaleString('en-US') },
    { title: '女生', dataIndex: 'girls', align: 'right', render: (count: number) => count.toLocaleString('en-US') },
    { title: '学生', key: 'students', align: 'right', render: (_, row) => <>{bar(row.students)}<Pupils field={field} row={row} on={on} /></> },
  ]
}

/** The figure leads to the pupils it counts. */
function Pupils({ field, row: { value, students }, on }: { field: RemarkField; row: RemarkCount; on: string | undefined }): ReactNode {
  const search = { remark_field: field.id, ...(value === '' ? {} : { remark_value: value }), ...(on === undefined ? {} : { on }) }
  return <Link className="kit-link" to="/ParentsRecord" search={search}>{students.toLocaleString('en-US')}</Link>
}
