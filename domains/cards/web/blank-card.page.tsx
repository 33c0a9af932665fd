import { CARD_MEDIA, stock_names, stockApi, stockList } from '@campus/cards/contract'
import type { StockCounts, StockRow } from '@campus/cards/contract'
import { AppModal, call, Can, fieldsOf, Filters, leaving, ListPage, Table, useResourceList, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, List, Select, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ReaderDock } from './reader-dock.tsx'
import './cards.css'

const stock_colors: Readonly<Record<number, string>> = { 0: 'blue', 1: 'green', 2: 'red', 3: 'default' }
const stocks: Readonly<Record<string, string>> = stock_names
const fields = fieldsOf(stockList, { stock_state: { cell: row => <Tag color={stock_colors[row.stock_state]}>{stocks[String(row.stock_state)]}</Tag> } })
const [in_stock, lost] = [0, 2] as const
type Frame = { onClose: () => void; onDone: () => void }

/** 白卡管理: the media of the school, where each of them is, and the drawer that is counted (chapter 40 §5). */
export default function BlankCard(): ReactNode {
  const list = useResourceList(stockApi.list, fields)
  const counts = useCall(stockApi.counts, {})
  const { open, close, dialog } = useDialog()
  const [docked, dock] = useState(false)
  const written = () => {
    list.select([])
    void list.refresh()
    void counts.refetch()
  }
  const { busy, act } = useAct([], written)
  const chosen = list.rows.filter(row => list.selected.includes(row.card_id))
  const voidable = chosen.filter(row => row.stock_state <= lost)
  const found = chosen.filter(row => row.stock_state === lost)
  const frame = { onClose: close, onDone: written }
  const addRange = () => open(<RangeDialog {...frame} />)
  const count = () => open(<CheckDialog onClose={close} />)
  const voidAll = () => open(<VoidDialog rows={voidable} {...frame} />)
  const bringBack = () => act(() => call(stockApi.found, { card_ids: found.map(row => row.card_id) }, { quiet: true }), { done: ({ changed }) => `已找回入库 ${changed}张` })
  return (
    <div className={docked ? 'card-page card-docked' : 'card-page'}>
      <ListPage
        of={list}
        head={counts.data && <StockStrip counts={counts.data} state={list.values.stock_state} choose={stock_state => list.filterBy({ stock_state })} />}
        filters={<Filters of={list} show={['keyword', 'stock_state', 'media', 'from']} />}
        batch={
          <>
            <Can code={stockApi.found}><Button loading={busy} disabled={found.length === 0} onClick={() => void bringBack()}>找回入库（{found.length}）</Button></Can>
            <Can code={stockApi.void}><Button danger disabled={voidable.length === 0} onClick={voidAll}>作废（{voidable.length}）</Button></Can>
          </>
        }
        actions={
          <>
            <Can code={stockApi.add}><Button type="primary" aria-pressed={docked} onClick={() => dock(!docked)}>读卡入库</Button></Can>
            <Can code={stockApi.range}><Button onClick={addRange}>号段入库</Button></Can>
            <Can code={stockApi.check}><Button onClick={count}>盘点</Button></Can>
            <ListExport of={list} fact={stockList} call={stockApi.export} />
          </>
        }
      >
        <Table of={list} show={['card_no', 'uid_hex', 'print_no', 'media', 'origin', 'stock_state', 'holder_name', 'created_at']} more={['batch_no', 'remark', 'created_by_name']} selectable empty="还没有白卡：用读卡入库逐张登记，或用号段入库一次登记一批" />
        {dialog}
      </ListPage>
      {docked && <ReaderDock title="读卡入库" onCard={async ({ card_no, via }) => {
        const { row } = await call(stockApi.add, { card_no, via }, { quiet: true })
        written()
        return `${row.card_no} 已入库`
      }} />}
    </div>
  )
}

/** Where the cards are; each part filters the list. */
function StockStrip({ counts, state, choose }: { counts: StockCounts; state: string | undefined; choose: (state: string | undefined) => void }): ReactNode {
  const parts = [['0', '在库', counts.in_stock], ['1', '在用', counts.in_use], ['2', '丢失', counts.lost], ['3', '作废', counts.void]] as const
  const total = Math.max(1, parts.reduce((sum, [, , n]) => sum + n, 0))
  return (
    <section className="card-stock" aria-label="白卡库存">
      <div className="card-stock-bar">{parts.map(([code, , n]) => <i key={code} data-state={code} style={{ width: `${(n / total) * 100}%` }} />)}</div>
      {parts.map(([code, label, n]) => <Button key={code} type="text" aria-pressed={state === code} onClick={() => choose(state === code ? undefined : code)}><i data-state={code} />{label} <b className="kit-number">{n}</b></Button>)}
      {counts.in_stock < counts.low_stock && <Alert type="warning" showIcon title={`白卡库存不足${counts.low_stock}张`} />}
    </section>
  )
}

function RangeDialog({ onClose, onDone }: Frame): ReactNode {
  const [form] = Form.useForm<{ from_no: string; to_no: string; media: '1'; remark?: string }>()
  const { busy, refused, run } = useSaving(form, { 'cards.rangeOrder': 'to_no', 'cards.rangeTooBig': 'to_no' })
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(stockApi.range, values, { quiet: true }), '已入库'))) return
    onDone()
    onClose()
  }
  const rule = [{ required: true, message: '请填写卡号' }]
  return (
    <AppModal open width={480} title="号段入库" okText="入库" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="card-range" layout="vertical" initialValues={{ media: '1' }}>
        <Form.Item name="from_no" label="起始卡号" rules={rule} extra="10位十进制或8位十六进制"><Input maxLength={20} autoComplete="off" /></Form.Item>
        <Form.Item name="to_no" label="结束卡号" rules={rule} extra="一次最多5000张，已登记的卡片保持不变"><Input maxLength={20} autoComplete="off" /></Form.Item>
        <Form.Item name="media" label="卡介质"><Select options={Object.entries(CARD_MEDIA.names).map(([value, label]) => ({ value, label }))} /></Form.Item>
        <Form.Item name="remark" label="备注"><Input maxLength={100} /></Form.Item>
      </Form>
    </AppModal>
  )
}

function VoidDialog({ rows, onClose, onDone }: Frame & { rows: readonly StockRow[] }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const used = rows.filter(row => row.stock_state !== in_stock && row.stock_state !== lost).length
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(stockApi.void, { card_ids: rows.map(row => row.card_id), ...values }, { quiet: true }), `已作废 ${rows.length}张`))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`作废 ${rows.length}张`} okText="作废" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {used > 0 && <Alert type="warning" showIcon title={`其中${used}张正在使用，作废后持卡人立即不能刷卡`} />}
      <Form form={form} name="card-void" layout="vertical">
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input maxLength={100} placeholder="例如：芯片损坏" /></Form.Item>
      </Form>
    </AppModal>
  )
}

/** 盘点: every card of the drawer is read; what is missing and what is too much is listed. */
function CheckDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [read, setRead] = useState<readonly string[]>([])
  const [found, setFound] = useState<Awaited<ReturnType<typeof checked>> | null>(null)
  const { busy, act } = useAct()
  const finish = async () => {
    const answer = await act(() => checked(read))
    if (answer) setFound(answer)
  }
  return (
    <AppModal open width={880} title="盘点" okText="核对" okButtonProps={{ disabled: read.length === 0 }} confirmLoading={busy} onOk={() => void finish()} onCancel={leaving(read.length > 0 && found === null, onClose)}>
      <div className="card-class">
        <div>
          <p role="status">已读取 <b className="kit-number">{read.length}</b> 张。把抽屉里的卡片逐张放到读卡器上，读完后点“核对”。</p>
          {found && (
            <>
              <List size="small" header={`缺少 ${found.missing.length}张`} dataSource={found.missing.slice(0, 200)} renderItem={row => <List.Item>{row.card_no}</List.Item>} />
              <List size="small" header={`多出 ${found.surplus.length}张`} dataSource={found.surplus.slice(0, 200)} renderItem={row => <List.Item>{row.card_no} {row.holder_name ?? (row.stock_state === null ? '未登记' : stocks[String(row.stock_state)])}</List.Item>} />
            </>
          )}
        </div>
        <ReaderDock title="读取" onCard={({ card_no }) => {
          setRead(before => (before.includes(card_no) ? before : [...before, card_no]))
          return Promise.resolve(card_no)
        }} />
      </div>
    </AppModal>
  )
}

function checked(card_nos: readonly string[]) {
  return call(stockApi.check, { card_nos: [...card_nos] }, { quiet: true })
}
