import { calendarErrors, semesterApi, SemesterDraft, semesterName, TERM, weekCount } from '@campus/calendar/contract'
import type { Effects, Semester } from '@campus/calendar/contract'
import { AppModal, call, leaving, ruleOf, schoolToday, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { Alert, Checkbox, DatePicker, Form, Input, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { lookFooter } from '../look-footer.tsx'
import { EffectsNote } from '../day/effects-note.tsx'
import { WeekTable } from './week-table.tsx'

type Day = ReturnType<typeof dayjs>
type Values = { school_year: string; term: Semester['term']; name: string; begin_date: Day | null; end_date: Day | null; register_date: Day | null; exam_weeks: number[]; odd_first: boolean }
type Props = { term: Semester | null; terms: readonly Semester[]; onClose: () => void; onDone: () => Promise<void> }

const [years_before, years_after, most_days] = [2, 4, 400]
const homes = { [calendarErrors.semesterTaken.id]: 'term', [calendarErrors.semesterOverlap.id]: 'begin_date', [calendarErrors.semesterPast.id]: 'begin_date' }
const textOf = (day: Day | null | undefined) => day?.format('YYYY-MM-DD') ?? null

/** Makes a term or changes one; its weeks are shown while its dates are chosen. */
export function TermDialog({ term, terms, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const [effects, setEffects] = useState<Effects | null>(null)
  const begin = textOf(Form.useWatch('begin_date', form))
  const end = textOf(Form.useWatch('end_date', form))
  const odd_first = Form.useWatch('odd_first', form) ?? true
  const is_span = begin !== null && end !== null && begin < end && dayjs(end).diff(begin, 'day') < most_days
  const save = async (preview: boolean) => {
    const values = await validValues(form)
    if (!values) return
    const draft = { name: values.name, begin_date: textOf(values.begin_date) ?? '', end_date: textOf(values.end_date) ?? '', register_date: textOf(values.register_date), exam_weeks: values.exam_weeks, odd_first: values.odd_first, preview }
    const send = async () => {
      const answer = term ? await call(semesterApi.update, { id: term.id, row_version: term.row_version, ...draft }, { quiet: true }) : await call(semesterApi.add, { school_year: values.school_year, term: values.term, ...draft }, { quiet: true })
      setEffects(answer.effects)
    }
    if (!(await run(send, preview ? undefined : term ? '设置成功' : '添加成功')) || preview) return
    await onDone()
    onClose()
  }
  const rename = () => {
    const { school_year, term: code } = form.getFieldsValue()
    if (!form.isFieldTouched('name')) form.setFieldValue('name', semesterName(school_year, code))
  }
  return (
    <AppModal
      open width={760} title={term ? `编辑学期：${term.name}` : '新增学期'} okText="保存" confirmLoading={busy} onOk={() => void save(false)} onCancel={leaving(form, onClose)}
      footer={lookFooter(() => void save(true))}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="term" layout="vertical" className="term-form" initialValues={initialOf(term, terms)}>
        <div className="term-fields">
          <Form.Item name="school_year" label="学年" required><Select disabled={term !== null} options={yearOptions()} onChange={rename} /></Form.Item>
          <Form.Item name="term" label="学期" required><Select disabled={term !== null} options={Object.entries(TERM.names).map(([value, label]) => ({ value, label }))} onChange={rename} /></Form.Item>
          <Form.Item name="name" label="名称" required rules={[ruleOf(SemesterDraft.shape.name)]}><Input maxLength={30} showCount /></Form.Item>
          <Form.Item name="begin_date" label="开始日期" required rules={[{ required: true, message: '请选择开始日期' }]}><DatePicker className="kit-fill" /></Form.Item>
          <Form.Item name="end_date" label="结束日期" required dependencies={['begin_date']} rules={[{ required: true, message: '请选择结束日期' }, afterBegin]}><DatePicker className="kit-fill" /></Form.Item>
          <Form.Item name="register_date" label="报到日期"><DatePicker className="kit-fill" /></Form.Item>
          <Form.Item name="exam_weeks" label="考试周"><Select mode="multiple" allowClear placeholder="选择周次" options={weekOptions(is_span ? weekCount({ begin_date: begin, end_date: end }) : 0)} /></Form.Item>
          <Form.Item name="odd_first" valuePropName="checked" label="单双周"><Checkbox>第1周为单周</Checkbox></Form.Item>
        </div>
        {is_span && <WeekTable begin={begin} end={end} odd_first={odd_first} />}
      </Form>
      {effects && <EffectsNote effects={effects} />}
    </AppModal>
  )
}

const afterBegin = ({ getFieldValue }: { getFieldValue: (name: string) => Day | null }) => ({
  validator: (_: unknown, end: Day | null) => {
    const begin = getFieldValue('begin_date')
    return begin && end && !end.isAfter(begin) ? Promise.reject(new Error('结束日期必须晚于开始日期')) : Promise.resolve()
  },
})

function initialOf(term: Semester | null, terms: readonly Semester[]): Values {
  if (term) return { ...term, begin_date: dayjs(term.begin_date), end_date: dayjs(term.end_date), register_date: term.register_date === null ? null : dayjs(term.register_date) }
  const last = terms.toSorted((a, b) => a.id - b.id).at(-1)
  const year = last ? Number(last.school_year.slice(0, 4)) + (last.term === '1' ? 0 : 1) : Number(schoolToday().slice(0, 4))
  const [school_year, code]: [string, Semester['term']] = [`${year}-${year + 1}`, last?.term === '1' ? '2' : '1']
  return { school_year, term: code, name: semesterName(school_year, code), begin_date: null, end_date: null, register_date: null, exam_weeks: [], odd_first: true }
}

function yearOptions(): { value: string; label: string }[] {
  const year = Number(schoolToday().slice(0, 4))
  return Array.from({ length: years_before + years_after }, (_, at) => year - years_before + at).map(first => ({ value: `${first}-${first + 1}`, label: `${first}-${first + 1}` }))
}

function weekOptions(count: number): { value: number; label: string }[] {
  return Array.from({ length: count }, (_, at) => ({ value: at + 1, label: `第${at + 1}周` }))
}
