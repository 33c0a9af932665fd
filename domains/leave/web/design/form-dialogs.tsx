import { formApi, leaveSettingApi, person_kind_names } from '@campus/leave/contract'
import type { LeaveForm, LeaveSetting } from '@campus/leave/contract'
import { GRADE } from '@campus/people/contract'
import { AppDrawer, AppModal, call, instantText, leaving, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Form, Input, InputNumber, Radio, Select, Switch } from 'antd'
import type { ReactNode } from 'react'
import { changesBetween, freshDesign } from './words.ts'

const name_rules = [{ required: true, whitespace: true, message: '请填写表单名称' }]

/** A new form, or a copy of one. */
export function FormDialog({ of, onClose, onDone }: { of?: LeaveForm; onClose: () => void; onDone: (form_id: string) => void }): ReactNode {
  const [form] = Form.useForm<{ form_name: string; person_kind: 1 | 2 | 6 }>()
  const { busy, refused, run } = useSaving(form, { 'leave.formTaken': 'form_name' })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    await run(async () => {
      const { form_id } = of
        ? await call(formApi.copy, { form_id: of.form_id, form_name: values.form_name }, { quiet: true })
        : await call(formApi.save, { ...values, design: freshDesign(values.person_kind) }, { quiet: true })
      onDone(form_id)
      onClose()
    }, '操作成功')
  }
  return (
    <AppModal open width={420} title={of ? `复制 ${of.form_name}` : '新增表单'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="leave-form" layout="vertical" initialValues={{ person_kind: 1, form_name: of ? `${of.form_name} 副本`.slice(0, 20) : '' }}>
        <Form.Item name="form_name" label="表单名称" rules={name_rules}><Input maxLength={20} showCount /></Form.Item>
        {!of && <Form.Item name="person_kind" label="适用人员"><Radio.Group options={Object.entries(person_kind_names).map(([value, label]) => ({ value: Number(value), label }))} /></Form.Item>}
      </Form>
    </AppModal>
  )
}

/** 发布: what changes against the version that runs, and what goes on by the old one. */
export function PublishDialog({ form, onClose, onDone }: { form: LeaveForm; onClose: () => void; onDone: () => void }): ReactNode {
  const { busy, refused, run } = useSaving()
  const running = form.versions.find(one => one.version === form.current_version)
  const save = async () => {
    if (!(await run(() => call(formApi.publish, { form_id: form.form_id, row_version: form.row_version }, { quiet: true }), '发布成功!'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={560} title={`发布 ${form.form_name}`} okText="发布" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="error" showIcon title={refused} />}
      <p>{form.waiting > 0 ? `正在审批 ${form.waiting} 张仍按旧版处理。` : '发布后新提交的请假按新版处理。'}</p>
      <ul>{changesBetween(running?.design, form.draft, form.person_kind, form.names).map(line => <li key={line}>{line}</li>)}</ul>
    </AppModal>
  )
}

/** 版本记录, each with what it changed. */
export function VersionsDrawer({ form, onClose }: { form: LeaveForm; onClose: () => void }): ReactNode {
  return (
    <AppDrawer size={520} title={`${form.form_name} 版本记录`} onClose={onClose}>
      {form.versions.length === 0 && <p>还没有发布过</p>}
      {form.versions.map((one, at) => (
        <section key={one.version} className="design-version">
          <h3>第{one.version}版 {one.effective_to === null ? '（当前）' : ''}</h3>
          <p>{instantText(one.effective_from)} 起{one.effective_to === null ? '' : `，至 ${instantText(one.effective_to)}`} · {one.published_by_name ?? '系统'}</p>
          <ul>{changesBetween(form.versions[at + 1]?.design, one.design, form.person_kind, form.names).map(line => <li key={line}>{line}</li>)}</ul>
        </section>
      ))}
    </AppDrawer>
  )
}

/** 请假设置 of the whole school. */
export function SettingDialog({ onClose }: { onClose: () => void }): ReactNode {
  const query = useCall(leaveSettingApi.read, {})
  return <Loaded query={query}>{setting => <SettingForm setting={setting} onClose={onClose} />}</Loaded>
}

function SettingForm({ setting, onClose }: { setting: LeaveSetting; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Omit<LeaveSetting, 'row_version'>>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const body = { ...values, student_apply_from_grade: values.student_apply_from_grade ?? null, row_version: setting.row_version }
    if (await run(() => call(leaveSettingApi.write, body, { quiet: true }), '设置成功')) onClose()
  }
  return (
    <AppModal open width={480} title="请假设置" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="leave-setting" layout="vertical" initialValues={setting}>
        <Form.Item name="student_apply_from_grade" label="学生自行申请的起始年级" extra="不选时只能由家长或班主任申请；学生申请须先经监护人确认"><Select allowClear placeholder="不开放" options={Object.entries(GRADE.names).map(([value, label]) => ({ value, label }))} /></Form.Item>
        <Form.Item name="pause_during_exam" label="考试日暂停在线请假" valuePropName="checked"><Switch /></Form.Item>
        <Form.Item name="void_days" label="可作废期限(天)"><InputNumber className="kit-fill" min={1} max={180} precision={0} /></Form.Item>
      </Form>
    </AppModal>
  )
}
