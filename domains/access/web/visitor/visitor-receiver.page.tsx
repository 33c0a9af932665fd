import { receiverApi, receiverList } from '@campus/access/contract'
import type { ReceiverRow } from '@campus/access/contract'
import { PersonPicker, useDeptTree } from '@campus/people/web'
import { AppModal, call, Can, fieldsOf, Filters, leaving, ListPage, Table, TreePanel, usePage, useResourceList, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Button, DatePicker, Form, InputNumber, Select } from 'antd'
import type { Dayjs } from 'dayjs'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { useDeptFilter } from '../pass/pickers.tsx'
import '../pass/pass.css'

export const VisitorReceiver = (): ReactNode => <Receivers is_mobile={false} />
export const VisitorReceiverMobile = (): ReactNode => <Receivers is_mobile />

const columns = {
  all: ['user_name', 'user_no', 'dept_name', 'enabled', 'auto_pass', 'day_max', 'booked', 'delegate_name', 'delegate_until'],
  mobile: ['user_name', 'user_no', 'dept_name', 'on_mobile', 'shown_as', 'enabled', 'day_max'],
} as const

/** 被访人设置: who takes visitors, how many a day, who stands in for him; and whom visitors find on the phone (chapter 35 §5). */
function Receivers({ is_mobile }: { is_mobile: boolean }): ReactNode {
  const { search, setSearch } = usePage()
  const { open, close, dialog } = useDialog()
  const tree = useDeptTree(undefined, 'staff')
  const dept = useDeptFilter('staff')
  const fields = useMemo(() => fieldsOf(receiverList, { user_name: { default_action: true }, dept_id: { filter: dept } }), [dept])
  const list = useResourceList(receiverApi.list, fields, { part: is_mobile ? 'mobile' : 'receiver' })
  const written = () => {
    list.select([])
    void list.refresh()
  }
  const { act } = useAct([], written)
  const chosen = list.selected.map(String)
  const set = (user_ids: string[], patch: { on_mobile?: boolean; enabled?: boolean }) => void act(() => call(receiverApi.batch, { user_ids, ...patch }, { quiet: true }), { done: reply => `已设置${reply.changed}人` })
  const edit = (rows: readonly ReceiverRow[]) => open(<ReceiverDialog rows={rows} onClose={close} onDone={written} />)
  const { dept_id, page_index: _page, ...rest } = search
  return (
    <ListPage
      of={list}
      side={<TreePanel name="visitor-receiver" load={tree.load} search={tree.search} selected={dept_id} onSelect={id => setSearch(id === undefined ? rest : { ...rest, dept_id: id })} />}
      filters={<Filters of={list} show={is_mobile ? (['keyword', 'on_mobile'] as const) : (['keyword', 'enabled'] as const)} />}
      batch={is_mobile
        ? <Can code={receiverApi.batch}><Button onClick={() => set(chosen, { on_mobile: true })}>设为可选</Button><Button onClick={() => set(chosen, { on_mobile: false })}>设为不可选</Button></Can>
        : <Can code={receiverApi.batch}><Button onClick={() => edit(list.rows.filter(row => chosen.includes(row.user_id)))}>批量设置</Button><Button onClick={() => set(chosen, { enabled: true })}>开启接待</Button><Button onClick={() => set(chosen, { enabled: false })}>关闭接待</Button></Can>}
    >
      <Table of={list} show={is_mobile ? columns.mobile : columns.all} row={editButton(is_mobile, edit, row => set([row.user_id], { on_mobile: !row.on_mobile }))} row_width={104} selectable empty="没有在职教职工" />
      {dialog}
    </ListPage>
  )
}

function editButton(is_mobile: boolean, edit: (rows: readonly ReceiverRow[]) => void, turn: (row: ReceiverRow) => void): (row: ReceiverRow) => ReactNode {
  return row => (
    <Can code={receiverApi.batch}>
      {is_mobile ? <Button type="link" size="small" aria-label={`${row.on_mobile ? '设为不可选' : '设为可选'} ${row.user_name}`} onClick={() => turn(row)}>{row.on_mobile ? '设为不可选' : '设为可选'}</Button> : <Button type="link" size="small" aria-label={`设置 ${row.user_name}`} onClick={() => edit([row])}>设置</Button>}
    </Can>
  )
}

type Values = { enabled?: boolean; auto_pass?: boolean; day_max?: number; delegate_user_id?: string | null; until?: Dayjs }
const yes_no = [{ value: true, label: '是' }, { value: false, label: '否' }]

function ReceiverDialog({ rows, onClose, onDone }: { rows: readonly ReceiverRow[]; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const [only] = rows
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { delegate_user_id, until, ...patch } = values
    const delegate = delegate_user_id && until ? { user_id: delegate_user_id, until: until.format('YYYY-MM-DD') } : undefined
    if (!(await run(() => call(receiverApi.batch, { user_ids: rows.map(row => row.user_id), ...patch, ...(delegate ? { delegate } : {}) }, { quiet: true }), '设置成功'))) return
    onDone()
    onClose()
  }
  const first = rows.length === 1 && only ? { enabled: only.enabled, auto_pass: only.auto_pass, day_max: only.day_max } : {}
  return (
    <AppModal open width={440} title={rows.length === 1 ? `接待设置 ${only?.user_name ?? ''}` : `接待设置 ${rows.length}人`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="visitor-receiver" layout="vertical" initialValues={first}>
        <Form.Item name="enabled" label="接待访客"><Select allowClear placeholder="不改变" options={yes_no} /></Form.Item>
        <Form.Item name="auto_pass" label="预约自动通过"><Select allowClear placeholder="不改变" options={yes_no} /></Form.Item>
        <Form.Item name="day_max" label="每日上限" rules={[wholeRule(1, 99)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} placeholder="不改变" />
        </Form.Item>
        <Form.Item name="delegate_user_id" label="代理人" extra="代理期间同时收到访客通知，可代为审核"><PersonPicker of={['teacher']} placeholder="姓名或工号" /></Form.Item>
        <Form.Item name="until" label="代理至" dependencies={['delegate_user_id']} rules={[({ getFieldValue }) => ({ validator: (_, until) => (getFieldValue('delegate_user_id') && !until ? Promise.reject(new Error('请选择代理截止日期')) : Promise.resolve()) })]}><DatePicker className="kit-fill" /></Form.Item>
      </Form>
    </AppModal>
  )
}
