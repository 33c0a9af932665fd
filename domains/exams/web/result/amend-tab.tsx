import { resultApi } from '@campus/exams/contract'
import type { AmendRow, ExamRow } from '@campus/exams/contract'
import { call, instantText, useCan } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Table, Tag } from 'antd'
import type { ReactNode } from 'react'

const states: Readonly<Record<number, { text: string; color: string }>> = { 0: { text: '待审批', color: 'orange' }, 1: { text: '已通过', color: 'green' }, 2: { text: '已驳回', color: 'red' } }

/** 更正: what was asked after the publication; another person than the one who asked decides. */
export function AmendTab({ exam }: { exam: ExamRow }): ReactNode {
  const query = useCall(resultApi.amends, { exam_id: exam.exam_id })
  const { busy, act } = useAct([resultApi.amends, resultApi.list, resultApi.analysis, resultApi.state])
  const may_decide = useCan(resultApi.decide)
  const decide = (row: AmendRow, agreed: boolean) => act(() => call(resultApi.decide, { amend_id: row.amend_id, agreed }, { quiet: true }), { ask: agreed && { title: `同意更正${row.user_name}的${row.subject}？`, touches: `${row.from_text || '空'} 改为 ${row.to_text || '空'}，统计和名次重新计算，并通知该生家长。`, ok: '同意' }, done: agreed ? '已更正' : '已驳回' })
  const columns = [
    { key: 'who', title: '学生', width: 176, render: (_: unknown, row: AmendRow) => `${row.user_name}（${row.dept_name}）` },
    { key: 'subject', title: '科目', width: 96, dataIndex: 'subject' },
    { key: 'change', title: '更正', width: 136, render: (_: unknown, row: AmendRow) => <span className="kit-number">{row.from_text || '空'} → <b>{row.to_text || '空'}</b></span> },
    { key: 'reason', title: '原因', dataIndex: 'reason' },
    { key: 'asked', title: '申请', width: 184, render: (_: unknown, row: AmendRow) => `${row.asked_by_name} ${instantText(row.asked_at).slice(5, 16)}` },
    { key: 'state', title: '状态', width: 160, render: (_: unknown, row: AmendRow) => <><Tag color={states[row.state]?.color}>{states[row.state]?.text}</Tag>{row.decided_by_name}</> },
    { key: 'act', title: '', width: 136, render: (_: unknown, row: AmendRow) => row.state === 0 && may_decide && (row.is_mine ? <small>需另一人审批</small> : <><Button type="link" size="small" loading={busy} onClick={() => void decide(row, true)}>同意</Button><Button type="link" size="small" danger loading={busy} onClick={() => void decide(row, false)}>驳回</Button></>) },
  ]
  return <Loaded query={query} rows={8}>{({ list }) => <Table<AmendRow> size="small" rowKey="amend_id" columns={columns} dataSource={list} pagination={{ pageSize: 50, showSizeChanger: false }} locale={{ emptyText: '没有更正申请：成绩发布后在“成绩”中对学生点“更正”' }} />}</Loaded>
}
