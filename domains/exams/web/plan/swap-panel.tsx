import { planApi, swap_states, swapApi } from '@campus/exams/contract'
import type { SwapRow } from '@campus/exams/contract'
import { call, instantText, useCan } from '@kit/web'
import { useAct } from '@kit/web/act'
import { useCall } from '@kit/web/part'
import { Button, Table, Tag } from 'antd'
import type { ReactNode } from 'react'

const names: Readonly<Record<number, string>> = swap_states
const colors: Readonly<Record<number, string>> = { 0: 'default', 1: 'orange', 2: 'green', 3: 'red', 4: 'default' }
const waiting = 1

/** 换班: what invigilators have agreed among themselves, for approval; nothing where nobody has asked. */
export function SwapPanel({ exam_id }: { exam_id: string }): ReactNode {
  const { data } = useCall(swapApi.page, { exam_id })
  const { busy, act } = useAct([swapApi.page, planApi.duties])
  const may_decide = useCan(swapApi.decide)
  if (!data || data.list.length === 0) return null
  const decide = ({ swap_id, from_name, to_name }: SwapRow, agreed: boolean) =>
    act(() => call(swapApi.decide, { swap_id, agreed }, { quiet: true }), {
      ask: { title: agreed ? `批准${from_name}与${to_name}换班？` : '不批准这次换班？',
        touches: agreed ? `监考由${to_name}承担，时间计入其累计，双方收到通知。` : '双方收到通知，监考不变。', ok: agreed ? '批准' : '不批准' },
      done: agreed ? '已换班' : '已处理',
    })
  const columns = [
    { key: 'session', title: '场次', width: 208, render: (_: unknown, row: SwapRow) =>
      `${instantText(row.begin_at).slice(5, 16)} ${row.session_name} ${row.room}` },
    { key: 'who', title: '换班', width: 176, render: (_: unknown, row: SwapRow) => `${row.from_name} → ${row.to_name}` },
    { key: 'reason', title: '原因', dataIndex: 'reason' },
    { key: 'state', title: '状态', width: 112, render: (_: unknown, row: SwapRow) =>
      <Tag color={colors[row.state]}>{names[row.state]}</Tag> },
    {
      key: 'act', title: '', width: 144,
      render: (_: unknown, row: SwapRow) => row.state === waiting && may_decide && (
        <>
          <Button type="link" size="small" loading={busy} onClick={() => void decide(row, true)}>批准</Button>
          <Button type="link" size="small" danger loading={busy} onClick={() => void decide(row, false)}>不批准</Button>
        </>
      ),
    },
  ]
  return (
    <section aria-label="换班申请">
      <h3>换班申请</h3>
      <Table<SwapRow> size="small" rowKey="swap_id" columns={columns} dataSource={data.list} pagination={{ pageSize: 10,
        hideOnSinglePage: true, showSizeChanger: false }} />
    </section>
  )
}
