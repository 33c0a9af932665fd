import { file_kind, kind_extensions, kindOfName } from '@campus/files/contract'
import { applyApi, exit_modes, leaveTypeName, most_files, most_members, spanText } from '@campus/leave/contract'
import type { LeaveOptions } from '@campus/leave/contract'
import type { Request } from '@kit/contract'
import { AppModal, call, leaving, useCan, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { UploadField } from '@kit/web/upload'
import type { Uploaded, UploadRule } from '@kit/web/upload'
import { Alert, Form, Input, Select } from 'antd'
import type { FormInstance } from 'antd'
import type { ReactNode } from 'react'
import { PeoplePicker } from '@campus/people/web'
import { EffectsPreview, StepsList } from './steps-list.tsx'
import { spanAsked, TimeFields } from './time-fields.tsx'
import type { TimeValues } from './time-fields.tsx'

type Values = TimeValues & { proofs?: readonly Uploaded[]; user_ids: string[]; form_id: string; leave_type: string; reason_code: string; reason: string; dest?: string; contact_mobile?: string; exit_mode?: number; pickup_id?: string }
type Draft = Request<typeof applyApi.add>
type Frame = { onClose: () => void; onDone: () => void }
const pupil = 1
const fetched = 2
const rule: UploadRule = { purpose: 'person_file', kindOf: name => kindOfName(name) ?? undefined, prepare: 'photo' }
const extensions = [file_kind.picture, file_kind.document].flatMap(kind => kind_extensions[kind].map(ext => `.${ext}`))
const required = (message: string) => [{ required: true, message }]
/** Refusals that are about one field. */
const homes = { 'leave.overlap': 'mode', 'leave.tooLate': 'mode', 'leave.tooSoon': 'mode', 'leave.length': 'mode', 'leave.spanOrder': 'mode', 'leave.examBlocked': 'mode', 'leave.noHalf': 'mode', 'leave.needPickup': 'pickup_id', 'leave.needAttach': 'proofs', 'leave.reasonUnfit': 'reason_code' }

/** 代请: for one pupil or many, with what will follow shown before it is sent (chapter 70 §5). */
export function ApplyDialog({ onClose, onDone, user_ids = [] }: Frame & { user_ids?: string[] }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const options = useCall(applyApi.options, {})
  const save = async () => {
    const values = await validValues(form)
    const draft = values && draftOf(values)
    if (!draft) return
    if (!(await run(() => call(applyApi.add, draft, { quiet: true }), '已提交'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={900} title="代请假" okText="提交" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Loaded query={options}>{known => (
        <Form form={form} name="leave-apply" layout="vertical" initialValues={{ user_ids, mode: 'time' }} className="leave-apply">
          <div><Fields form={form} options={known} /></div>
          <Preview form={form} />
        </Form>
      )}</Loaded>
    </AppModal>
  )
}

function Fields({ form, options }: { form: FormInstance<Values>; options: LeaveOptions }): ReactNode {
  const form_id = Form.useWatch('form_id', form)
  const leave_type = Form.useWatch('leave_type', form)
  const exit_mode = Form.useWatch('exit_mode', form)
  const reason_code = Form.useWatch('reason_code', form)
  const forms = options.forms.filter(one => one.person_kind === pupil)
  const chosen = forms.find(one => one.form_id === form_id)
  const reasons = options.reasons.filter(one => one.person_kinds.includes(pupil) && (one.leave_types.length === 0 || leave_type === undefined || one.leave_types.includes(leave_type)))
  const may_upload = useCan('files.file.upload')
  const { need_attach = false } = reasons.find(one => one.reason_code === reason_code) ?? {}
  const is_fetched = (exit_mode ?? chosen?.exit_mode) === fetched || reasons.find(one => one.reason_code === reason_code)?.need_pickup
  return (
    <>
      <Form.Item name="user_ids" label="学生" rules={required('请选择学生')} extra="选择多人即为集体请假"><PeoplePicker of={['student']} max={most_members} /></Form.Item>
      <Form.Item name="form_id" label="请假表单" rules={required('请选择请假表单')}>
        <Select options={forms.map(one => ({ value: one.form_id, label: one.form_name }))} notFoundContent="还没有启用的表单，请先在请假表单设计中发布" />
      </Form.Item>
      <Form.Item name="leave_type" label="假别" rules={required('请选择假别')}><Select options={(chosen?.leave_types ?? []).map(value => ({ value, label: leaveTypeName(pupil, value) }))} notFoundContent="请先选择请假表单" /></Form.Item>
      <TimeFields />
      <Form.Item name="reason_code" label="原因" rules={required('请选择原因')}><Select options={reasons.map(one => ({ value: one.reason_code, label: one.reason_name }))} /></Form.Item>
      <Form.Item name="reason" label="事由" rules={[{ required: true, whitespace: true, message: '请填写事由' }, { min: 2, message: '事由至少2个字' }]}><Input.TextArea maxLength={200} showCount rows={2} /></Form.Item>
      <Form.Item name="exit_mode" label="离校方式"><Select allowClear placeholder="按表单" options={Object.entries(exit_modes).map(([value, label]) => ({ value: Number(value), label }))} /></Form.Item>
      {is_fetched && <PickupField form={form} />}
      <Form.Item name="proofs" label="证明材料" rules={need_attach ? required('请上传证明材料') : []}>
        <UploadField rule={rule} extensions={extensions} most={most_files} disabled={!may_upload} hint={proofHint(may_upload, chosen?.attach_from_days ?? null)} />
      </Form.Item>
      <Form.Item name="dest" label="去向"><Input maxLength={100} /></Form.Item>
    </>
  )
}

function proofHint(may_upload: boolean, from_days: number | null): string {
  if (!may_upload) return '您没有上传文件的权限'
  return from_days === null ? `病历、证明等图片或文档，最多${most_files}个` : `请假满${from_days}天须上传证明，最多${most_files}个`
}

/** The adults who may fetch the pupil. */
function PickupField({ form }: { form: FormInstance<Values> }): ReactNode {
  const [user_id = ''] = Form.useWatch('user_ids', form) ?? []
  const { data } = useCall(applyApi.pickups, { user_id }, { enabled: user_id !== '' })
  return (
    <Form.Item name="pickup_id" label="接送人" rules={required('请选择接送人')}>
      <Select options={(data?.list ?? []).map(one => ({ value: one.user_id, label: one.user_name }))} notFoundContent="该学生没有可接送的家长" />
    </Form.Item>
  )
}

/** What will follow, as soon as enough is filled in. */
function Preview({ form }: { form: FormInstance<Values> }): ReactNode {
  const values: Partial<Values> | undefined = Form.useWatch((all: Values) => all, form)
  const draft = values ? draftOf({ ...values, reason: '预览预览' }) : null
  const { data, error } = useCall(applyApi.preview, draft ?? empty, { enabled: draft !== null, keep: true })
  if (draft === null) return <aside className="leave-preview"><p className="leave-hint">填写学生、假别、时间和原因后，这里显示审批人和产生的影响。</p></aside>
  return (
    <aside className="leave-preview" aria-label="将产生的影响">
      {error && <p className="leave-fault">{error.message}</p>}
      {data && (
        <>
          <p><b>{data.school_days}天 {data.lessons}节</b> {data.spans.map(span => spanText(span)).join('；')}</p>
          {data.overlap !== null && <p className="leave-fault">与请假单{data.overlap}时间重叠</p>}
          {data.refusal !== null && <p className="leave-fault">{data.refusal}</p>}
          <h3>审批人</h3>
          <StepsList steps={data.steps} no_approval={data.no_approval} />
          <h3>将产生的影响</h3>
          <EffectsPreview effects={data.effects} />
        </>
      )}
    </aside>
  )
}

const empty: Draft = { form_id: '0', leave_type: '1', reason_code: '0', reason: '', spans: [], user_ids: [] }

function draftOf(values: Partial<Values>): Draft | null {
  const { user_ids, form_id, leave_type, reason_code, reason = '', dest, exit_mode, pickup_id, proofs = [] } = values
  const attach_keys = proofs.map(one => one.file_key)
  const span = spanAsked(values)
  if (!span || !user_ids?.length || !form_id || !leave_type || !reason_code) return null
  return { user_ids, form_id, leave_type, reason_code, reason, spans: [span], attach_keys, ...(dest ? { dest } : {}), ...(exit_mode === undefined ? {} : { exit_mode }), ...(pickup_id ? { pickup_id } : {}) }
}
