import { changeApi, changeErrors, lessonApi } from '@campus/teaching/contract'
import type { DayLesson } from '@campus/teaching/contract'
import { AppModal, call, instantText, leaving, schoolToday, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { useCall } from '@kit/web/part'
import { Alert, DatePicker, Form, Input, InputNumber, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { CoverDialog } from './cover-dialog.tsx'

type Props = { onClose: () => void; onDone: () => void }
type Values = { class_id: string; date: ReturnType<typeof dayjs>; lesson: string; mode: 'cover' | 'swap' | 'move'; other_date?: ReturnType<typeof dayjs>; other?: string; to_section?: number; reason?: string }
const modes = [{ value: 'cover', label: '代课、自习或停课' }, { value: 'swap', label: '与本班另一节对调' }, { value: 'move', label: '移到本班的空课时段' }]
const ok_texts = { cover: '下一步', swap: '对调', move: '移课' } as const
const required = (message: string) => [{ required: true, message }]

/** 新建调课: a lesson of a class is covered, changed into self-study, cancelled, or swapped with another one of the class. */
export function NewChangeDialog({ onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { [changeErrors.swapSelf.id]: 'other', [changeErrors.begun.id]: 'lesson',
    [changeErrors.noSection.id]: 'to_section', [changeErrors.classBusy.id]: 'to_section' })
  const [covered, cover] = useState<DayLesson>()
  const classes = useCall(lessonApi.targets, { view: 'class' })
  const [class_id, mode] = [Form.useWatch('class_id', form), Form.useWatch('mode', form) ?? 'cover']
  const lessons = useDay(class_id, Form.useWatch('date', form)?.format('YYYY-MM-DD') ?? schoolToday())
  const others = useDay(mode === 'swap' ? class_id : undefined, Form.useWatch('other_date', form)?.format('YYYY-MM-DD') ?? schoolToday())
  const next = async () => {
    const values = await validValues(form)
    const lesson = lessons.find(one => one.lesson_day_id === values?.lesson)
    if (!values || !lesson) return
    if (values.mode === 'cover') {
      cover(lesson)
      return
    }
    if (values.mode === 'move') {
      const asked = { date: lesson.date, lesson_day_id: lesson.lesson_day_id,
        to_date: values.other_date?.format('YYYY-MM-DD') ?? lesson.date, to_section: values.to_section ?? 1, reason: values.reason ?? '' }
      if (!(await run(() => call(changeApi.move, asked, { quiet: true }), `已移到${asked.to_date}第${asked.to_section}节`))) return
      onDone()
      onClose()
      return
    }
    const other = others.find(one => one.lesson_day_id === values.other)
    if (!other) return
    const asked = { date: lesson.date, lesson_day_id: lesson.lesson_day_id, other_date: other.date, other_id: other.lesson_day_id, reason: values.reason ?? '' }
    if (!(await run(() => call(changeApi.swap, asked, { quiet: true }), `已对调，仅${lesson.date}和${other.date}有效`))) return
    onDone()
    onClose()
  }
  if (covered) return <CoverDialog lesson={covered} absent={null} onClose={onClose} onDone={onDone} />
  const groups = (classes.data?.groups ?? []).map(group => ({ label: group.name, title: group.name, options: group.items.map(one => ({ value: one.id, label: one.name })) }))
  return (
    <AppModal open width={520} title="新建调课" okText={ok_texts[mode]} confirmLoading={busy} onOk={() => void next()}
      onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="new-change" layout="vertical" initialValues={{ date: dayjs(schoolToday()), other_date: dayjs(schoolToday()), mode: 'cover' }}>
        <Form.Item name="class_id" label="班级" rules={required('请选择班级')}><Select showSearch={{ optionFilterProp: 'label' }} options={groups} /></Form.Item>
        <Form.Item name="date" label="日期" rules={required('请选择日期')}><DatePicker className="kit-fill" minDate={dayjs(schoolToday())} allowClear={false} /></Form.Item>
        <Form.Item name="lesson" label="课" rules={required('请选择一节课')}><Select options={lessons.map(lessonOption)} placeholder={class_id === undefined ? '先选择班级' : '选择还没有开始的课'} /></Form.Item>
        <Form.Item name="mode" label="方式"><Select options={modes} /></Form.Item>
        {mode !== 'cover' && <Target mode={mode} others={others} />}
      </Form>
    </AppModal>
  )
}

function Target({ mode, others }: { mode: 'swap' | 'move'; others: readonly DayLesson[] }): ReactNode {
  return (
    <>
      <Form.Item name="other_date" label={mode === 'swap' ? '对调日期' : '移到日期'} rules={required('请选择日期')}><DatePicker className="kit-fill"
        minDate={dayjs(schoolToday())} allowClear={false} /></Form.Item>
      {mode === 'swap' && <Form.Item name="other" label="对调的课" rules={required('请选择一节课')}><Select
        options={others.map(lessonOption)} /></Form.Item>}
      {mode === 'move' && <Form.Item name="to_section" label="移到第几节" rules={required('请选择节次')}><InputNumber className="kit-fill" min={1}
        max={16} precision={0} /></Form.Item>}
      <Form.Item name="reason" label="原因" required rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input
        maxLength={200} showCount /></Form.Item>
    </>
  )
}

/** Lessons of a class on a date that nothing has changed yet; the server refuses what has begun. */
function useDay(class_id: string | undefined, date: string): DayLesson[] {
  const { data } = useCall(lessonApi.list, { from: date, to: date, class_id: class_id ?? '0' }, { enabled: class_id !== undefined })
  return (data?.list ?? []).filter(one => one.state === 1)
}

function lessonOption(one: DayLesson): { value: string; label: string } {
  return { value: one.lesson_day_id, label: `第${one.section}节 ${instantText(one.begin_at).slice(11, 16)} ${one.course_name} ${one.teachers.map(teacher => teacher.user_name).join('、')}` }
}
