import type { Planned } from '@campus/access/contract'
import { Alert, Table as Grid, Tag } from 'antd'
import type { ReactNode } from 'react'

const kind_names = { gain: '新增权限', lose: '失去权限', change: '时间变化' } as const
const kind_colors = { gain: 'green', lose: 'red', change: 'blue' } as const
const columns = [
  { title: '姓名', dataIndex: 'user_name' },
  { title: '门', dataIndex: 'place_name' },
  { title: '变化', dataIndex: 'kind', render: (kind: keyof typeof kind_names) => <Tag color={kind_colors[kind]}>{kind_names[kind]}</Tag> },
]

/** What a change would do, before it is saved: the big sentence, what to mind, last week under it, and who (chapter 35 R57). */
export function PlanPanel({ plan }: { plan: Planned }): ReactNode {
  const { people, devices, warnings, replay, sample } = plan
  if (people.total === 0) return <Alert type="info" showIcon title="此次修改不影响任何人的通行权限，可以直接发布" />
  return (
    <section className="access-plan" aria-label="预演结果">
      <p className="access-plan-sentence">
        影响 <b className="kit-number">{people.total}</b> 人、<b className="kit-number">{devices.total}</b> 台设备；新增权限 {people.gain} 人，失去权限 {people.lose} 人，时间变化 {people.change} 人
      </p>
      {warnings.map(one => <Alert key={one.code} type="warning" showIcon title={one.text} />)}
      <p>按新规则重看上周这些人的 {replay.passes} 次通行：新增拒绝 <b className="kit-number">{replay.denied}</b> 次，新增放行 <b className="kit-number">{replay.allowed}</b> 次。</p>
      <Grid size="small" rowKey={row => `${row.user_id} ${row.place_id}`} columns={columns} dataSource={sample} pagination={{ pageSize: 8, hideOnSinglePage: true, showSizeChanger: false }} />
      {sample.length < people.total && <p className="access-hint">只列出前 {sample.length} 项</p>}
    </section>
  )
}
