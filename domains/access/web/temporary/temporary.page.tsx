import { direction_names, effect_names, reason_names, source_names, temporary_states, temporaryApi, TemporaryRow } from '@campus/access/contract'
import { AppModal, call, Can, fields, Filters, ImportButton, ListPage, selectFilter, Table, textFilter, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { ReceiptTable } from '../effect/receipts.tsx'
import { state_colors, wayText } from './words.ts'
import '../access.css'

const ReceiptDialog = lazyDialog(() => Promise.resolve(ShowReceipts))
const TemporaryDialog = lazyDialog(() => import('./temporary-dialog.tsx').then(part => part.TemporaryDialog))
const [student, staff] = [1, 2] as const
const by_hand = 1
const states = Object.entries(temporary_states).map(([value, label]) => ({ value, label }))
const temporary_fields = fields(TemporaryRow, 'temporary_rule_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '姓名') },
  effect: { label: '类型', width: 72, cell: row => <Tag color={row.effect === 1 ? 'green' : 'red'}>{wayText(effect_names, row.effect)}</Tag> },
  whom: { label: '对象', width: 112, default_action: true, cell: row => (row.people > 5 ? `${row.whom}等${row.people}人` : row.whom) },
  direction: { label: '方向', width: 64, cell: row => wayText(direction_names, row.direction) },
  places: { label: '门', width: 120 },
  begin_at: { label: '开始', width: 132, kind: 'instant' },
  end_at: { label: '结束', width: 132, kind: 'instant' },
  max_times: { label: '次数', width: 64, cell: row => row.max_times ?? '不限' },
  reason: { label: '原因', width: 160, cell: row => `${wayText(reason_names, row.reason_code)}：${row.reason}` },
  source: { label: '来源', width: 72, cell: row => wayText(source_names, row.source) },
  state: { label: '状态', width: 84, filter: selectFilter('state', states), cell: row => <Tag color={state_colors[row.state]}>{temporary_states[row.state]}</Tag> },
  created_by_name: { label: '创建人', width: 88 },
})

export const StudentTemporary = (): ReactNode => <Temporary person_kind={student} />
export const TeacherTemporary = (): ReactNode => <Temporary person_kind={staff} />

/** 临时规则: one-off rights and denials, which end by themselves (chapter 35 §5). */
function Temporary({ person_kind }: { person_kind: 1 | 2 }): ReactNode {
  const list = useResourceList(temporaryApi.list, temporary_fields, { fixed: { person_kind: String(person_kind) }, part: person_kind === student ? 'student' : 'teacher' })
  const { open, close, dialog } = useDialog()
  const { act } = useAct([], () => list.refresh())
  const add = () => open(<TemporaryDialog person_kind={person_kind} onClose={close} onDone={() => void list.refresh()} />)
  const revoke = (row: TemporaryRow) => void act(() => call(temporaryApi.revoke, { ids: [row.temporary_rule_id], reason: '人工撤销' }, { quiet: true }), { ask: { title: `确定撤销${row.whom}的临时${wayText(effect_names, row.effect)}吗？`, ok: '撤销' }, done: '已撤销，正在通知设备' })
  const show = (row: TemporaryRow) => open(<ReceiptDialog row={row} onClose={close} />)
  return (
    <ListPage of={list} filters={<Filters of={list} show={['keyword', 'state']} />} actions={
        <>
          <Can code={temporaryApi.add}><Button type="primary" onClick={add}>新增</Button></Can>
          {person_kind === student && (
            <ImportButton code={temporaryApi.add} template="access_temporary" title="学生临时规则导入" label="导入" unit="条" onApplied={() => void list.refresh()} />
          )}
        </>
      }>
      <Table of={list} show={['effect', 'whom', 'direction', 'places', 'begin_at', 'end_at', 'max_times', 'reason', 'state']}
        more={['source', 'created_by_name']} row={acts(revoke, show)} row_width={108} empty="没有临时规则：需要一次性放行或禁止时点“新增”" />
      {dialog}
    </ListPage>
  )
}

type Act = (row: TemporaryRow) => void

function acts(revoke: Act, show: Act): (row: TemporaryRow) => ReactNode {
  return row => (
    <>
      <Button type="link" size="small" aria-label={`送达 ${row.whom}`} onClick={() => show(row)}>送达</Button>
      {(row.state === 'coming' || row.state === 'running') && row.source === by_hand && (
        <Can code={temporaryApi.revoke}><Button type="link" size="small" danger aria-label={`撤销 ${row.whom}`} onClick={() => revoke(row)}>撤销</Button></Can>
      )}
    </>
  )
}

/** 查看送达: which doors have taken the rule, or given it back. */
function ShowReceipts({ row: { temporary_rule_id, whom }, onClose }: { row: TemporaryRow; onClose: () => void }): ReactNode {
  const query = useCall(temporaryApi.receipts, { temporary_rule_id })
  const empty = '没有设备因此改变权限：对象原本就可通行，或规则由别的单据生成'
  return (
    <AppModal open width={760} title={`送达情况：${whom}`} footer={null} onCancel={onClose}>
      <Loaded query={query} empty={empty}>{receipts => <ReceiptTable receipts={receipts} />}</Loaded>
    </AppModal>
  )
}
