import { cardLogApi, cardOpList, conflict_kinds, ConflictRow, deposit_kinds, DepositRow, pay_ways, UsedRow } from '@campus/cards/contract'
import type { BlockStat } from '@campus/cards/contract'
import { AppModal, call, daysFilter, fields, fieldsOf, Filters, leaving, ListPage, PageTabs, selectFilter, Table, textFilter, useMay, usePage, useResourceList, useSaving, validValues } from '@kit/web'
import { useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, Progress, Radio, Table as AntdTable, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { secondsText } from './card-words.ts'
import './cards.css'

const tabs = [
  { key: 'op', label: '操作记录', need: 'cards.log.view' },
  { key: 'block', label: '阻断时效', need: 'cards.log.view' },
  { key: 'used', label: '挂失后使用', need: 'cards.log.view' },
  { key: 'deposit', label: '押金', need: 'cards.deposit.view' },
  { key: 'conflict', label: '冲突', need: 'cards.card.edit' },
] as const
type Tab = (typeof tabs)[number]['key']
const fen = 100

/** 卡操作报表: what was done, how quickly losses reached the readers, and what needs somebody (chapter 40 §5). */
export default function CardRecord(): ReactNode {
  const { search, setSearch } = usePage()
  const may = useMay()
  const shown = tabs.filter(tab => may(tab.need))
  const tab = shown.find(one => one.key === search.tab)?.key ?? 'op'
  const head = <PageTabs tabs={shown} value={tab} onChange={key => setSearch({ tab: key })} />
  const views: Readonly<Record<Tab, ReactNode>> = {
    op: <Ops head={head} />, block: <Blocks head={head} />, used: <Used head={head} />, deposit: <Deposits head={head} />, conflict: <Conflicts head={head} />,
  }
  return views[tab]
}

const op_fields = fieldsOf(cardOpList)

function Ops({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(cardLogApi.page, op_fields, { part: 'op' })
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['keyword', 'op', 'from']} />} actions={<ListExport of={list} fact={cardOpList} call={cardLogApi.export} />}>
      <Table of={list} show={['at', 'op', 'user_name', 'user_no', 'dept_name', 'card_no', 'change', 'by_name', 'via']} more={['reason']} empty="还没有卡操作" />
    </ListPage>
  )
}

/** 阻断时效: half and nearly all of the readers of each day, and the slowest devices. */
function Blocks({ head }: { head: ReactNode }): ReactNode {
  const query = useCall(cardLogApi.blockStat, {})
  return (
    <div className="card-record" data-ready={query.data ? 'page' : undefined}>
      {head}
      <Loaded query={query}>{stat => <BlockFigures stat={stat} />}</Loaded>
    </div>
  )
}

function BlockFigures({ stat }: { stat: BlockStat }): ReactNode {
  const slowest = Math.max(1, ...stat.by_day.map(day => day.p95_ms ?? 0))
  const figures = [['挂失次数', String(stat.losses)], ['半数设备', secondsText(stat.p50_ms)], ['95%设备', secondsText(stat.p95_ms)], ['最慢', secondsText(stat.max_ms)], ['仍未阻断', String(stat.open)]] as const
  return (
    <>
      <dl className="card-figures">{figures.map(([label, text]) => <div key={label}><dt>{label}</dt><dd className="kit-number">{text}</dd></div>)}</dl>
      <h2>每日</h2>
      <AntdTable
        size="small" rowKey="day" pagination={false} dataSource={stat.by_day} locale={{ emptyText: '最近90天没有挂失' }}
        columns={dayColumns(slowest)}
      />
      <h2>设备</h2>
      <AntdTable
        size="small" rowKey="device_id" pagination={false} dataSource={stat.by_device} locale={{ emptyText: '没有设备' }}
        columns={[{ title: '设备', dataIndex: 'device_name' }, { title: '次数', dataIndex: 'n', width: 80, align: 'right' }, { title: '最慢', key: 'ms', width: 120, align: 'right', render: (_, one) => secondsText(one.slowest_ms) }, { title: '仍未阻断', dataIndex: 'open', width: 120, align: 'right' }]}
      />
    </>
  )
}

function dayColumns(slowest: number): TableColumnType<BlockStat['by_day'][number]>[] {
  return [
    { title: '日期', dataIndex: 'day', width: 120 },
    { title: '挂失', dataIndex: 'losses', width: 80, align: 'right' },
    { title: '半数设备', key: 'p50', width: 120, align: 'right', render: (_, day) => secondsText(day.p50_ms) },
    { title: '95%设备', key: 'p95', render: (_, day) => <Progress size="small" percent={Math.round(((day.p95_ms ?? 0) / slowest) * 100)} format={() => secondsText(day.p95_ms)} /> },
  ]
}

const used_fields = fields(UsedRow, 'device_seq', {
  at: { label: '时间', width: 152, kind: 'instant', filter: daysFilter('from', 'to') }, user_name: { label: '持卡人', width: 96 }, card_no: { label: '卡号', width: 132 }, device_name: { label: '设备', width: 180 },
  allowed: { label: '结果', width: 84, cell: row => <Tag color={row.allowed ? 'red' : 'green'}>{row.allowed ? '已放行' : '已拒绝'}</Tag> }, handle_note: { label: '处理', width: 180, cell: row => row.handle_note ?? '待处理' },
})

function Used({ head }: { head: ReactNode }): ReactNode {
  const { open, close, dialog } = useDialog()
  const list = useResourceList(cardLogApi.used, used_fields, { part: 'used' })
  const done = () => void list.refresh()
  const handle = ({ device_id, device_seq }: UsedRow) => {
    const save = (note: string) => call(cardLogApi.handleUsed, { device_id, device_seq, note }, { quiet: true })
    open(<NoteDialog title="处理挂失后使用" label="处理说明" onClose={close} save={save} onDone={done} />)
  }
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['at']} />}>
      <Table
        of={list} show={['at', 'user_name', 'card_no', 'device_name', 'allowed', 'handle_note']} row_width={80} empty="没有挂失后的使用记录"
        row={handleButton(row => row.handled_at === null, handle)}
      />
      {dialog}
    </ListPage>
  )
}

/** 处理 beside what still waits for somebody. */
function handleButton<Row extends { card_no: string }>(waits: (row: Row) => boolean, handle: (row: Row) => void): (row: Row) => ReactNode {
  return row => waits(row) && <Button type="link" size="small" aria-label={`处理 ${row.card_no}`} onClick={() => handle(row)}>处理</Button>
}

type NoteProps = { title: string; label: string; choices?: Readonly<Record<string, string>>; onClose: () => void; onDone: () => void; save: (note: string, choice: number) => Promise<unknown> }

/** One sentence, and a decision where there is one to take. */
function NoteDialog({ title, label, choices, onClose, onDone, save }: NoteProps): ReactNode {
  const [form] = Form.useForm<{ note: string; choice: number }>()
  const { busy, refused, run } = useSaving(form, { 'common.malformed': 'note' })
  const submit = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => save(values.note, values.choice), '操作成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={title} okText="确定" confirmLoading={busy} onOk={() => void submit()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="card-note" layout="vertical" initialValues={{ choice: 1 }}>
        {choices && <Form.Item name="choice" label="处理方式"><Radio.Group options={Object.entries(choices).map(([value, text]) => ({ value: Number(value), label: text }))} /></Form.Item>}
        <Form.Item name="note" label={label} rules={[{ required: true, whitespace: true, message: '请填写处理说明' }]}><Input.TextArea maxLength={200} showCount rows={3} /></Form.Item>
      </Form>
    </AppModal>
  )
}

const deposit_fields = fields(DepositRow, 'entry_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '姓名/卡号') }, at: { label: '时间', width: 152, kind: 'instant', filter: daysFilter('from', 'to') }, user_name: { label: '姓名', width: 96 }, card_no: { label: '卡号', width: 132 },
  kind: { label: '类型', width: 84, text: row => nameOf(deposit_kinds, row.kind) }, amount: { label: '金额(元)', width: 96, kind: 'number', text: row => (row.amount / fen).toFixed(2) }, pay_way: { label: '方式', width: 84, text: row => nameOf(pay_ways, row.pay_way) },
})

function nameOf(names: Readonly<Record<string, string>>, code: number): string {
  return names[String(code)] ?? ''
}

function Deposits({ head }: { head: ReactNode }): ReactNode {
  const list = useResourceList(cardLogApi.deposits, deposit_fields, { part: 'deposit' })
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['keyword', 'at']} />}>
      <Table of={list} show={['at', 'user_name', 'card_no', 'kind', 'amount', 'pay_way']} empty="没有押金记录" />
    </ListPage>
  )
}

const decisions = { 1: '维持原持卡人', 2: '转给新人', 3: '忽略' } as const
const states = { 0: '待处理', ...decisions } as const

const conflict_fields = fields(ConflictRow, 'conflict_id', {
  found_at: { label: '发现时间', width: 152, kind: 'instant' }, kind: { label: '类型', width: 112, text: row => nameOf(conflict_kinds, row.kind) }, card_no: { label: '卡号', width: 132 }, holder_name: { label: '原持卡人', width: 96 }, attempted_name: { label: '新人', width: 96 },
  state: { label: '状态', width: 112, text: row => nameOf(states, row.state), filter: selectFilter('state', Object.entries(states).map(([value, label]) => ({ value, label }))) }, reason: { label: '说明', width: 180 },
})

function Conflicts({ head }: { head: ReactNode }): ReactNode {
  const { open, close, dialog } = useDialog()
  const list = useResourceList(cardLogApi.conflicts, conflict_fields, { part: 'conflict' })
  const done = () => void list.refresh()
  const handle = ({ conflict_id, card_no }: ConflictRow) => {
    const save = (reason: string, decision: number) => call(cardLogApi.decide, { conflict_id, decision, reason }, { quiet: true })
    open(<NoteDialog title={`处理冲突 · ${card_no}`} label="说明" choices={decisions} onClose={close} save={save} onDone={done} />)
  }
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['state']} />}>
      <Table
        of={list} show={['found_at', 'kind', 'card_no', 'holder_name', 'attempted_name', 'state', 'reason']} row_width={80} empty="没有冲突"
        row={handleButton(row => row.state === 0, handle)}
      />
      {dialog}
    </ListPage>
  )
}
