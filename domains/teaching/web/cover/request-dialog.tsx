import { changeApi, changeErrors, lessonApi } from '@campus/teaching/contract'
import type { DayLesson } from '@campus/teaching/contract'
import { AppModal, call, instantText, leaving, readStored, schoolToday, toast, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { useCall } from '@kit/web/part'
import { Alert, DatePicker, Form, Input, InputNumber, Radio, Select } from 'antd'
import type { ReactNode } from 'react'

/** Where an own lesson was dropped: the day and the section of the cell. */
export type Dropped = { lesson: DayLesson; date: string; section: number }
type Props = { dropped: Dropped | null; onClose: () => void; onDone: () => void }
type Values = { date: ReturnType<typeof dayjs>; lesson?: string; kind: 2 | 3; other_date: ReturnType<typeof dayjs>; other?: string;
  to_section?: number; reason: string }
const kinds = [{ value: 3, label: '移到空课时段' }, { value: 2, label: '与本班另一节对调' }]
const swap = 2
/** By the state of the new order: who may change lessons himself does not wait. */
const sent_texts: Readonly<Record<number, string>> = { 1: '已调整，课表已更新', 3: '已发出，等待对方同意', 5: '已提交，等待教务审批' }
const required = (message: string) => [{ required: true, message }]
const textOf = (one: DayLesson) => ({ value: one.lesson_day_id,
  label: `第${one.section}节 ${instantText(one.begin_at).slice(11, 16)} ${one.class_name} ${
  one.course_name} ${one.teachers.map(teacher => teacher.user_name).join('、')}` })

/** 申请调课: an own lesson moves or is swapped, when the other teacher and the office agree (chapter 50 §2). */
export function RequestDialog({ dropped, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { [changeErrors.begun.id]: 'lesson', [changeErrors.noSection.id]: 'to_section',
    [changeErrors.classBusy.id]: 'to_section', [changeErrors.notYours.id]: 'lesson', [changeErrors.sameDayTwice.id]: 'lesson' })
  const [kind, chosen] = [Form.useWatch('kind', form) ?? 3, Form.useWatch('lesson', form) ?? dropped?.lesson.lesson_day_id]
  const date = (Form.useWatch('date', form) ?? dayjs(dropped?.lesson.date ?? schoolToday())).format('YYYY-MM-DD')
  const other_date = (Form.useWatch('other_date', form) ?? dayjs(dropped?.date ?? schoolToday())).format('YYYY-MM-DD')
  const own = useCall(lessonApi.mine, { from: date, to: date, user_id: readStored('user_id') ?? '' })
  const lessons = (own.data?.list ?? []).filter(one => one.state === 1)
  const lesson = lessons.find(one => one.lesson_day_id === chosen)
  const partners = useCall(changeApi.partners, { date, lesson_day_id: lesson?.lesson_day_id ?? '0', other_date },
    { enabled: kind === swap && lesson !== undefined })
  const send = async () => {
    const values = await validValues(form)
    if (!values) return
    const asked = { date, lesson_day_id: values.lesson ?? '0', kind: values.kind, other_date, reason: values.reason,
      other_id: values.kind === swap ? (values.other ?? null) : null, to_section: values.kind === swap
        ? null : (values.to_section ?? null) }
    const states: number[] = []
    if (!(await run(async () => states.push((await call(changeApi.add, asked, { quiet: true })).state)))) return
    toast.success(sent_texts[states[0] ?? 0] ?? '已提交')
    onDone()
    onClose()
  }
  const initial = { date: dayjs(dropped?.lesson.date ?? schoolToday()), lesson: dropped?.lesson.lesson_day_id, kind: 3,
    other_date: dayjs(dropped?.date ?? schoolToday()), to_section: dropped?.section }
  return (
    <AppModal open width={520} title="申请调课" okText="提交申请" confirmLoading={busy} onOk={() => void send()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="change-request" layout="vertical" initialValues={initial}>
        <Form.Item name="date" label="日期" rules={required('请选择日期')}><DatePicker className="kit-fill" minDate={dayjs(schoolToday())}
          allowClear={false} /></Form.Item>
        <Form.Item name="lesson" label="我的课" rules={required('请选择一节课')}><Select options={lessons.map(textOf)}
          notFoundContent="这一天没有可以调整的课" /></Form.Item>
        <Form.Item name="kind" label="方式"><Radio.Group options={kinds} /></Form.Item>
        <Form.Item name="other_date" label={kind === swap ? '对调日期' : '移到日期'} rules={required('请选择日期')}><DatePicker className="kit-fill"
          minDate={dayjs(schoolToday())} allowClear={false} /></Form.Item>
        {kind === swap
          ? <Form.Item name="other" label="对调的课" rules={required('请选择一节课')}><Select options={(partners.data?.list ?? []).map(textOf)}
            notFoundContent="这一天没有可以对调的课" /></Form.Item>
          : <Form.Item name="to_section" label="移到第几节" rules={required('请选择节次')}><InputNumber className="kit-fill" min={1} max={16}
            precision={0} /></Form.Item>}
        <Form.Item name="reason" label="原因" required rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input
          maxLength={200} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
