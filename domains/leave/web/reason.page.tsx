import { ArrowDownOutlined, ArrowUpOutlined } from '@ant-design/icons'
import { LEAVE_STAFF, LEAVE_STUDENT, leaveErrors, leaveTypeName, person_kind_names, reasonApi } from '@campus/leave/contract'
import type { LeaveReason as Reason, ReasonDraft } from '@campus/leave/contract'
import { AppModal, call, Can, leaving, PageFrame, useCan, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { useDragOrder } from '@kit/web/order'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Checkbox, Form, Input, InputNumber, Select, Switch, Tag } from 'antd'
import type { ReactNode } from 'react'
import './leave.css'

const kinds: Readonly<Record<string, string>> = person_kind_names
const pupil = 1
const off = 0
type Frame = { onClose: () => void; onDone: () => void }

/** 离校原因: the reasons in their order; one that is used can only be disabled (chapter 70 §5). */
export default function LeaveReason(): ReactNode {
  const query = useCall(reasonApi.list, {})
  const { open, close, dialog } = useDialog()
  const { act } = useAct([reasonApi.list])
  const may_edit = useCan(reasonApi.update)
  const list = query.data?.list ?? []
  const written = () => void query.refetch()
  const move = (from: number, to: number) => {
    const codes = list.map(one => one.reason_code)
    const [moved] = codes.splice(from, 1)
    if (moved === undefined || to < 0 || to > codes.length) return
    codes.splice(to, 0, moved)
    void act(() => call(reasonApi.sort, { reason_codes: codes }, { quiet: true }))
  }
  const order = useDragOrder(move)
  const edit = (reason: Reason | null) => open(<ReasonDialog reason={reason} onClose={close} onDone={written} />)
  const remove = ({ reason_code, reason_name }: Reason) =>
    act(() => call(reasonApi.delete, { reason_code }, { quiet: true }), { ask: { title: `确定删除“${reason_name}”吗？`, ok: '删除' }, done: '删除成功!' })
  const turn = (one: Reason) => act(() => call(reasonApi.update, { ...draftOf(one), status: one.status === off ? 1 : 0, reason_code: one.reason_code, row_version: one.row_version }, { quiet: true }), { done: one.status === off ? '已启用' : '已停用' })
  return (
    <PageFrame ready={query.data ? 'page' : query.error ? 'failed' : undefined} help="请假时选择的原因；拖动调整顺序" actions={<Can code={reasonApi.add}><Button type="primary" onClick={() => edit(null)}>新增原因</Button></Can>}>
      <Loaded query={query} empty="还没有离校原因：点“新增原因”添加">{() => (
        <div className="leave-table" role="table" aria-label="离校原因">
          <div role="row" className="leave-row leave-row-head">
            {['原因', '适用人员', '关联假别', '要求', '默认时长', '使用次数', '状态', '操作'].map(head => <span key={head} role="columnheader">{head}</span>)}
          </div>
          <div role="rowgroup" ref={may_edit ? order : undefined}>
            {list.map((one, at) => (
              <div key={one.reason_code} role="row" className="leave-row" draggable={may_edit}>
                <b role="cell">{one.reason_name}</b>
                <span role="cell">{one.person_kinds.map(kind => kinds[String(kind)]).join('、')}</span>
                <span role="cell">{one.leave_types.length === 0 ? '全部' : one.leave_types.map(type => leaveTypeName(one.person_kinds[0] ?? pupil, type)).join('、')}</span>
                <span role="cell">{needsOf(one)}</span>
                <span role="cell">{one.default_minutes === null ? '' : `${one.default_minutes / 60}小时`}</span>
                <span role="cell" className="kit-number">{one.used}</span>
                <span role="cell"><Tag color={one.status === off ? 'default' : 'green'}>{one.status === off ? '停用' : '启用'}</Tag></span>
                <span role="cell">
                  {may_edit && (
                    <>
                      <Button type="link" size="small" aria-label={`编辑 ${one.reason_name}`} onClick={() => edit(one)}>编辑</Button>
                      <Button type="link" size="small" onClick={() => void turn(one)}>{one.status === off ? '启用' : '停用'}</Button>
                      <Button type="link" size="small" danger disabled={one.used > 0} title={one.used > 0 ? leaveErrors.reasonUsed.msg.replace('{n}', String(one.used)) : undefined} onClick={() => void remove(one)}>删除</Button>
                      <Button type="text" size="small" aria-label={`上移 ${one.reason_name}`} disabled={at === 0} icon={<ArrowUpOutlined aria-hidden />} onClick={() => move(at, at - 1)} />
                      <Button type="text" size="small" aria-label={`下移 ${one.reason_name}`} disabled={at === list.length - 1} icon={<ArrowDownOutlined aria-hidden />} onClick={() => move(at, at + 1)} />
                    </>
                  )}
                </span>
              </div>
            ))}
          </div>
        </div>
      )}</Loaded>
      {dialog}
    </PageFrame>
  )
}

function needsOf({ need_attach, need_pickup, need_health }: Reason): string {
  return [need_attach ? '需证明' : '', need_pickup ? '需接送' : '', need_health ? '涉及健康' : ''].filter(Boolean).join('、')
}

function draftOf({ reason_code: _code, used: _used, row_version: _version, person_kinds, status, ...draft }: Reason): ReasonDraft {
  return { ...draft, person_kinds: ([1, 2, 6] as const).filter(kind => person_kinds.includes(kind)), status: status === off ? 0 : 1 }
}

/** Adds or edits a reason. */
function ReasonDialog({ reason, onClose, onDone }: Frame & { reason: Reason | null }): ReactNode {
  const [form] = Form.useForm<ReasonDraft>()
  const { busy, refused, run } = useSaving(form, { 'leave.reasonTaken': 'reason_name' })
  const person_kinds = Form.useWatch('person_kinds', form) ?? []
  const types = person_kinds.includes(pupil) ? LEAVE_STUDENT.names : LEAVE_STAFF.names
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const body = { ...values, default_minutes: values.default_minutes ?? null, status: reason?.status === off ? 0 as const : 1 as const }
    const sent = (): Promise<unknown> => (reason ? call(reasonApi.update, { ...body, reason_code: reason.reason_code, row_version: reason.row_version }, { quiet: true }) : call(reasonApi.add, body, { quiet: true }))
    if (!(await run(sent, '操作成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={reason ? `编辑 ${reason.reason_name}` : '新增原因'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="leave-reason" layout="vertical" initialValues={reason ? draftOf(reason) : { person_kinds: [pupil], leave_types: [], need_attach: false, need_pickup: false, need_health: false }}>
        <Form.Item name="reason_name" label="原因" rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input maxLength={20} showCount /></Form.Item>
        <Form.Item name="person_kinds" label="适用人员" rules={[{ required: true, message: '请选择适用人员' }]}><Checkbox.Group options={Object.entries(kinds).map(([value, label]) => ({ value: Number(value), label }))} /></Form.Item>
        <Form.Item name="leave_types" label="关联假别" extra="不选为全部假别"><Select mode="multiple" options={Object.entries(types).map(([value, label]) => ({ value, label }))} /></Form.Item>
        <Form.Item name="default_minutes" label="默认时长(分钟)"><InputNumber className="kit-fill" min={15} max={43_200} precision={0} /></Form.Item>
        <Form.Item name="need_pickup" label="须选择接送人" valuePropName="checked"><Switch /></Form.Item>
        <Form.Item name="need_attach" label="须上传证明" valuePropName="checked"><Switch /></Form.Item>
        <Form.Item name="need_health" label="涉及健康" valuePropName="checked" extra="用于因病缺课统计与健康随访"><Switch /></Form.Item>
      </Form>
    </AppModal>
  )
}
