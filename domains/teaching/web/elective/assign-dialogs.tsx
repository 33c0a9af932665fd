import { allCombos, comboName, elective_fields, electiveApi, electiveErrors, offerApi, seatApi } from '@campus/teaching/contract'
import type { ComboRow, Missing, Seat } from '@campus/teaching/contract'
import { AppModal, call, leaving, ruleOf, schoolToday, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { useCall } from '@kit/web/part'
import { Alert, DatePicker, Form, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import { offerTitle } from './elective-words.ts'
import type { Clock } from './elective-words.ts'
import { PersonPicker } from '@campus/people/web'

type Frame = { onClose: () => void; onDone: () => void }
const required = (message: string) => [{ required: true, message }]
const assignable: readonly number[] = [1, 2, 3, 4]
const reason = <Form.Item name="reason" label="原因" required rules={[ruleOf(elective_fields.reason)]}><Input.TextArea
  maxLength={200} showCount rows={2} /></Form.Item>

/** 分配: a pupil gets a seat by hand; full offers and clashes are refused. */
export function AssignDialog({ task_id, student, onClose, onDone }: Frame & { task_id: string | undefined; student?: Missing }): ReactNode {
  const [form] = Form.useForm<{ task_id: string; student_id: string; offer_id: string; reason: string }>()
  const { busy, refused, run } = useSaving(form, { [electiveErrors.full.id]: 'offer_id', [electiveErrors.limit.id]: 'student_id' })
  const tasks = useCall(electiveApi.list, { page_size: 100 })
  const chosen = Form.useWatch('task_id', form) ?? task_id
  const offers = useCall(offerApi.list, { task_id: chosen ?? '0' }, { enabled: chosen !== undefined, keep: true })
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(seatApi.assign, values, { quiet: true }), '已分配'))) return
    onDone()
    onClose()
  }
  const task_options = (tasks.data?.list ?? []).filter(task => assignable.includes(task.state))
    .map(({ id, name }) => ({ value: id, label: name }))
  const offer_options = (offers.data?.list ?? [])
    .map(offer => ({ value: offer.id, label: `${offerTitle(offer)}（${offer.taken}/${offer.capacity}）`,
    disabled: offer.taken >= offer.capacity }))
  return (
    <AppModal open width={520} title={student ? `分配：${student.user_name}` : '分配学生'} okText="分配" confirmLoading={busy}
      onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="assign-seat" layout="vertical" initialValues={{ task_id, student_id: student?.student_id }}>
        <Form.Item name="task_id" label="选课任务" rules={required('请选择任务')}><Select options={task_options}
          onChange={() => form.setFieldValue('offer_id', undefined)} /></Form.Item>
        <Form.Item name="student_id" label="学生" rules={required('请选择学生')} hidden={student !== undefined}><PersonPicker of={['student']} /></Form.Item>
        <Form.Item name="offer_id" label="课程" rules={required('请选择课程')}><Select options={offer_options} loading={offers.isFetching}
          showSearch={{ optionFilterProp: 'label' }} /></Form.Item>
        {reason}
      </Form>
    </AppModal>
  )
}

/** 移除: the seat goes to the first who waits. */
export function RemoveDialog({ seat, onClose, onDone }: Frame & { seat: Seat }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const { task_id, offer_id, student_id } = seat
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(seatApi.remove, { task_id, offer_id, student_id, ...values }, { quiet: true }), '已移除'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={`移除：${seat.user_name} · ${seat.title}`} okText="移除" confirmLoading={busy} onOk={() => void save()}
      onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>空出的名额自动给候补的第一位；已生成教学班的，名单同时更新。</p>
      <Form form={form} name="remove-seat" layout="vertical">{reason}</Form>
    </AppModal>
  )
}

/** 改选 or 登记选科: three subjects of a pupil from a day on. */
export function ComboDialog({ row, onClose, onDone }: Frame & { row: ComboRow | null }): ReactNode {
  const [form] = Form.useForm<{ student_id: string; combo: string; from: Clock; reason: string }>()
  const { busy, refused, run } = useSaving(form, { [electiveErrors.badCombo.id]: 'combo', [electiveErrors.comboPast.id]: 'from' })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    if (!(await run(() => call(seatApi.saveCombo, { ...values, from: values.from.format('YYYY-MM-DD') }, { quiet: true }), '设置成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title={row ? `改选：${row.user_name}` : '登记选科'} okText="保存" confirmLoading={busy} onOk={() => void save()}
      onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {row && <p>现在：{row.combo_name}（{row.valid_from} 起）</p>}
      <Form form={form} name="student-combo" layout="vertical" initialValues={{ student_id: row?.student_id, from: dayjs(schoolToday()) }}>
        <Form.Item name="student_id" label="学生" rules={required('请选择学生')} hidden={row !== null}><PersonPicker of={['student']} /></Form.Item>
        <Form.Item name="combo" label="科目组合" rules={required('请选择科目')}><Select
          options={allCombos().map(value => ({ value, label: comboName(value) }))} /></Form.Item>
        <Form.Item name="from" label="生效日期" rules={required('请选择日期')}><DatePicker className="kit-fill" /></Form.Item>
        {reason}
      </Form>
    </AppModal>
  )
}
