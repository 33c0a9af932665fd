import { bellApi, calendarErrors, grade_codes, HOLIDAY_KIND, SpecialDraft, specialApi, stage_codes, whole_school } from '@campus/calendar/contract'
import type { Effects, Special } from '@campus/calendar/contract'
import { AppModal, call, leaving, ruleOf, schoolToday, useCan, useDictionary, useSaving, validValues } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { useQuery } from '@tanstack/react-query'
import { Alert, DatePicker, Form, Input, Radio, Select, TimePicker } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { lookFooter } from '../look-footer.tsx'
import { useCalendarChanged } from '../use-changed.ts'
import { EffectsNote } from './effects-note.tsx'
import type { Opened } from './opened.ts'

type Day = ReturnType<typeof dayjs>
type Values = {
  begin_date: Day | null; end_date: Day | null; kind: number | null; name: string; scope_kind: Special['scope_kind']; scope_codes: string[]
  closed_from: Day | null; closed_to: Day | null; bell_id: string | null; note: string | null; reason?: string
}
type Props = { opened: Extract<Opened, { view: 'new' | 'edit' }>; grade: string; onClose: () => void }

const kinds = ['7', '2', '3', '8', '9', '10', '1'] as const
const make_up = 3
const homes = {
  [calendarErrors.specialOverlap.id]: 'begin_date', [calendarErrors.specialPast.id]: 'begin_date', [calendarErrors.outsideTerm.id]: 'begin_date', [calendarErrors.followChain.id]: 'kind', [calendarErrors.followNotSchoolDay.id]: 'kind',
}
const dayOf = (day: Day | null) => day?.format('YYYY-MM-DD') ?? ''
const clockText = (clock: Day | null) => clock?.format('HH:mm') ?? null

/** Sets something upon days, or changes it; what it does is shown before it is saved. Days that have passed need a reason. */
export function SpecialDialog({ opened, grade, onClose }: Props): ReactNode {
  const special = opened.view === 'edit' ? opened.special : null
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useCalendarChanged()
  const [effects, setEffects] = useState<Effects | null>(null)
  const scope_kind = Form.useWatch('scope_kind', form) ?? special?.scope_kind ?? 'school'
  const is_past = dayOf(Form.useWatch('begin_date', form) ?? null) < schoolToday() && special === null
  const may_correct = useCan(specialApi.correct)
  const save = async (preview: boolean) => {
    const values = await validValues(form)
    if (!values) return
    const draft = draftOf(values, special, preview)
    const send = async () => {
      const answer = special ? await call(specialApi.update, { ...draft, id: special.id, row_version: special.row_version }, { quiet: true })
        : is_past && may_correct ? await call(specialApi.correct, { draft, reason: values.reason ?? '' }, { quiet: true })
        : await call(specialApi.add, draft, { quiet: true })
      setEffects(answer.effects)
    }
    if (!(await run(send, preview ? undefined : '设置成功')) || preview) return
    await changed()
    onClose()
  }
  return (
    <AppModal
      open width={640} title={special ? `编辑：${special.name}` : '设置日期'} okText="保存" confirmLoading={busy} onOk={() => void save(false)} onCancel={leaving(form, onClose)}
      footer={lookFooter(() => void save(true))}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="special" layout="vertical" initialValues={initialOf(opened, grade)} onValuesChange={() => setEffects(null)}>
        <div className="term-fields">
          <Form.Item name="kind" label="类型" required rules={[{ required: true, message: '请选择类型' }]}><Select placeholder="请选择类型" options={kinds.map(code => ({ value: Number(code), label: HOLIDAY_KIND.names[code] }))} /></Form.Item>
          <Form.Item name="name" label="名称" required rules={[ruleOf(SpecialDraft.shape.name)]}><Input maxLength={30} showCount placeholder="例如：校运动会" /></Form.Item>
          <Form.Item name="begin_date" label="开始日期" required rules={[{ required: true, message: '请选择开始日期' }]}><DatePicker className="kit-fill" /></Form.Item>
          <Form.Item name="end_date" label="结束日期" required rules={[{ required: true, message: '请选择结束日期' }]}><DatePicker className="kit-fill" /></Form.Item>
          <Form.Item name="scope_kind" label="适用范围"><Radio.Group options={[{ value: 'school', label: '全校' }, { value: 'stage', label: '按学段' }, { value: 'grade', label: '按年级' }]} onChange={() => form.setFieldValue('scope_codes', [])} /></Form.Item>
          {scope_kind !== 'school' && <ScopeCodes kind={scope_kind} />}
        </div>
        <div className="term-fields">
          <Form.Item name="closed_from" label="停课开始" tooltip="只停一天中的一段时填写，例如家长会 12:00–18:00"><TimePicker className="kit-fill" format="HH:mm" minuteStep={5} /></Form.Item>
          <Form.Item name="closed_to" label="停课结束"><TimePicker className="kit-fill" format="HH:mm" minuteStep={5} /></Form.Item>
          <BellField />
          <Form.Item name="note" label="备注"><Input maxLength={200} /></Form.Item>
        </div>
        {is_past && <Form.Item name="reason" label="更正原因" required extra={may_correct ? '今天之前的日期，须填写原因' : '没有更正过去日期的权限'} rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input maxLength={100} showCount disabled={!may_correct} /></Form.Item>}
      </Form>
      {effects && <EffectsNote effects={effects} />}
    </AppModal>
  )
}

function ScopeCodes({ kind }: { kind: 'stage' | 'grade' }): ReactNode {
  const [stages, grades] = [useDictionary('STAGE'), useDictionary('GRADE')]
  const known: readonly string[] = kind === 'stage' ? stage_codes : grade_codes
  return (
    <Form.Item name="scope_codes" label={kind === 'stage' ? '学段' : '年级'} required rules={[{ required: true, message: '请选择适用的学段或年级' }]}>
      <Select mode="multiple" placeholder="请选择" options={(kind === 'stage' ? stages : grades).filter(({ value }) => known.includes(value))} />
    </Form.Item>
  )
}

function BellField(): ReactNode {
  const allowed = useCan(bellApi.list)
  const { data = [] } = useQuery({ queryKey: [bellApi.list.call], queryFn: async () => (await call(bellApi.list, {}, { quiet: true })).list, enabled: allowed })
  return <Form.Item name="bell_id" label="作息"><Select allowClear placeholder="按平常作息" options={data.map(({ id, name }) => ({ value: id, label: name }))} /></Form.Item>
}

function initialOf(opened: Props['opened'], grade: string): Values {
  if (opened.view === 'new') {
    const scope = grade === whole_school ? { scope_kind: 'school' as const, scope_codes: [] } : { scope_kind: 'grade' as const, scope_codes: [grade] }
    return { ...scope, begin_date: dayjs(opened.from), end_date: dayjs(opened.to), kind: null, name: '', closed_from: null, closed_to: null, bell_id: null, note: null }
  }
  const { begin_date, end_date, kind, name, scope_kind, scope_codes, closed_from, closed_to, bell_id, note } = opened.special
  const clock = (text: string | null) => (text === null ? null : dayjs(text, 'HH:mm'))
  return { begin_date: dayjs(begin_date), end_date: dayjs(end_date), kind, name, scope_kind, scope_codes, closed_from: clock(closed_from), closed_to: clock(closed_to), bell_id, note }
}

/** What is sent; a make-up day that is edited goes on following what it followed. */
function draftOf({ begin_date, end_date, kind, closed_from, closed_to, note, bell_id, name, scope_kind, scope_codes = [] }: Values, special: Special | null, preview: boolean) {
  const followed = special?.kind === make_up && kind === make_up ? special : null
  return {
    name, scope_kind, scope_codes, preview, kind: kind ?? 0, begin_date: dayOf(begin_date), end_date: dayOf(end_date), closed_from: clockText(closed_from), closed_to: clockText(closed_to),
    bell_id: bell_id ?? null, note: note || null, follows_date: followed?.follows_date ?? null, follows_weekday: followed?.follows_weekday ?? null,
    follows_week_kind: followed?.follows_week_kind === 1 ? 1 as const : followed?.follows_week_kind === 2 ? 2 as const : null,
  }
}
