import { crowdApi, crowdMemberList } from '@campus/publishing/contract'
import type { CrowdMember } from '@campus/publishing/contract'
import { AppModal, call, Can, fieldsOf, Filters, leaving, ListPage, PageFrame, Table, usePage, useResourceList, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Link } from '@tanstack/react-router'
import { Alert, Button, DatePicker, Empty, Form, Input, Tag } from 'antd'
import type { Dayjs } from 'dayjs'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { PeopleSelect } from '../post/audience-field.tsx'

const fields = fieldsOf(crowdMemberList, { why: { cell: row => <Tag color={row.excluded ? 'red' : row.is_manual ? 'blue' : 'default'}>{row.why}</Tag> } })
const [put_in, take_out] = [1, 2] as const

/** 通知人群成员: who belongs and why; people are put in or taken out by hand (chapter 60 §5). */
export default function CrowdUsers(): ReactNode {
  const { search } = usePage()
  const crowds = useCall(crowdApi.list, { page_size: 300 })
  if (search.crowd_id === undefined) return <PageFrame ready="page"><Empty description={<>请先在<Link className="kit-link" to="/Information/crowd">通知人群管理</Link>中选择人群</>} /></PageFrame>
  const { crowd_id } = search
  return <Loaded query={crowds}>{({ list }) => <Members id={crowd_id} name={list.find(one => one.id === crowd_id)?.name ?? ''} scene={list.find(one => one.id === crowd_id)?.scene ?? 1} />}</Loaded>
}

function Members({ id, name, scene }: { id: string; name: string; scene: number }): ReactNode {
  const fixed = useMemo(() => ({ id }), [id])
  const list = useResourceList(crowdApi.members, fields, { fixed })
  const { open, close, dialog } = useDialog()
  const { busy, act } = useAct([], () => { list.select([]); void list.refresh() })
  const add = (mode: 1 | 2) => open(<AddDialog id={id} scene={scene} mode={mode} onClose={close} onDone={() => void list.refresh()} />)
  const manual = list.rows.filter((row: CrowdMember) => list.selected.includes(row.user_id) && row.is_manual)
  const undo = () => act(() => call(crowdApi.removeUsers, { id, user_ids: manual.map(row => row.user_id) }, { quiet: true }), { ask: { title: `取消 ${manual.length} 人的手动设置？之后按规则判断`, ok: '取消手动' }, done: '已取消' })
  return (
    <ListPage
      of={list}
      head={<p className="pub-hint">人群：{name}</p>}
      filters={<Filters of={list} show={['keyword', 'how']} />}
      batch={<Can code={crowdApi.removeUsers}><Button loading={busy} disabled={manual.length === 0} onClick={() => void undo()}>取消手动（{manual.length}）</Button></Can>}
      actions={<><Can code={crowdApi.addUsers}><Button type="primary" onClick={() => add(put_in)}>加入人员</Button></Can><Can code={crowdApi.addUsers}><Button onClick={() => add(take_out)}>排除人员</Button></Can></>}
    >
      <Table of={list} show={['user_name', 'user_no', 'dept_name', 'why', 'until']} selectable empty="还没有成员：修改规则，或用“加入人员”手动添加" />
      {dialog}
    </ListPage>
  )
}

type AddProps = { id: string; scene: number; mode: 1 | 2; onClose: () => void; onDone: () => void }
type Values = { user_ids: string[]; until?: Dayjs | null; note?: string }

function AddDialog({ id, scene, mode, onClose, onDone }: AddProps): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const word = mode === put_in ? '加入' : '排除'
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(crowdApi.addUsers, { id, user_ids: values.user_ids, mode, until: values.until?.format('YYYY-MM-DD') ?? null, note: values.note ?? '' }, { quiet: true }), `已${word}`))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`${word}人员`} okText={word} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="crowd-user" layout="vertical">
        <Form.Item name="user_ids" label="人员" rules={[{ required: true, message: '请选择人员' }]}><People scene={scene} /></Form.Item>
        <Form.Item name="until" label="截止日期" extra="到期后按规则判断；不填表示长期"><DatePicker className="kit-fill" /></Form.Item>
        <Form.Item name="note" label="说明"><Input maxLength={60} /></Form.Item>
      </Form>
    </AppModal>
  )
}

function People({ scene, value = [], onChange }: { scene: number; value?: string[]; onChange?: (ids: string[]) => void }): ReactNode {
  return <PeopleSelect label="人员" scene={scene} value={value} onChange={ids => onChange?.(ids)} />
}
