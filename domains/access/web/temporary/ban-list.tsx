import { banApi, BanRow, direction_names } from '@campus/access/contract'
import { AppModal, call, Can, fields, Filters, leaving, ListPage, Table, textFilter, useResourceList, useSaving, validValues } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Alert, Button, DatePicker, Form, Input, Tag } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { PeopleChoice } from '../grant/choices.tsx'
import { wayText } from './words.ts'

const BanDialog = lazyDialog(() => Promise.resolve(AddBan))
const ban_fields = fields(BanRow, 'ban_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '姓名') },
  user_name: { label: '姓名', width: 96, default_action: true },
  dept_name: { label: '部门', width: 132 },
  direction: { label: '方向', width: 72, cell: row => wayText(direction_names, row.direction) },
  place_name: { label: '门', width: 132, cell: row => row.place_name ?? '所有门' },
  begin_at: { label: '开始', width: 132, kind: 'instant' },
  end_at: { label: '结束', width: 132, kind: 'instant' },
  reason: { label: '原因', width: 160 },
  is_open: { label: '状态', width: 84, cell: row => <Tag color={row.is_open ? 'red' : 'default'}>{row.is_open ? '禁行中' : '已解除'}</Tag> },
})

/** 禁行名单: who may not come in, whatever rule he has. */
export function BanList({ person_kind, head }: { person_kind: number; head: ReactNode }): ReactNode {
  const list = useResourceList(banApi.list, ban_fields, { fixed: { person_kind: String(person_kind) }, part: 'ban' })
  const { open, close, dialog } = useDialog()
  const { act } = useAct([], () => list.refresh())
  const add = () => open(<BanDialog scene={person_kind} onClose={close} onDone={() => void list.refresh()} />)
  const lift = (row: BanRow) => void act(() => call(banApi.lift, { ids: [row.ban_id], reason: '人工解除' }, { quiet: true }), { ask: { title: `确定解除${row.user_name}的禁行吗？`, ok: '解除' }, done: '已解除' })
  return (
    <ListPage of={list} head={head} filters={<Filters of={list} show={['keyword']} />} actions={<Can code={banApi.add}><Button type="primary" onClick={add}>新增禁行</Button></Can>}>
      <Table of={list} show={['user_name', 'dept_name', 'direction', 'place_name', 'begin_at', 'end_at', 'reason', 'is_open']} row={liftActs(lift)} row_width={72} empty="没有禁行人员" />
      {dialog}
    </ListPage>
  )
}

function liftActs(lift: (row: BanRow) => void): (row: BanRow) => ReactNode {
  return row => row.is_open && <Can code={banApi.lift}><Button type="link" size="small" aria-label={`解除 ${row.user_name}`} onClick={() => lift(row)}>解除</Button></Can>
}

function AddBan({ scene, onClose, onDone }: { scene: number; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ user_ids: string[]; span: [Dayjs, Dayjs]; reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { user_ids, span: [begin, end], reason } = values
    if (!(await run(() => call(banApi.add, { user_ids, reason, begin_at: begin.toISOString(), end_at: end.toISOString() }, { quiet: true }), '操作成功'))) return
    onDone()
    onClose()
  }
  const required = (message: string) => [{ required: true, message }]
  return (
    <AppModal open title="新增禁行" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="access-hint">禁行只限制进校，不会把人留在校内。</p>
      <Form form={form} name="access-ban" layout="vertical" initialValues={{ span: [dayjs(), dayjs().add(1, 'day')] }}>
        <Form.Item name="user_ids" label="人员" rules={required('请选择人员')}><PeopleChoice scene={scene} /></Form.Item>
        <Form.Item name="span" label="起止时间" rules={required('请选择起止时间')}><DatePicker.RangePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" /></Form.Item>
        <Form.Item name="reason" label="原因" rules={[{ required: true, min: 2, message: '原因为2到100个字' }]}><Input maxLength={100} autoComplete="off" /></Form.Item>
      </Form>
    </AppModal>
  )
}
