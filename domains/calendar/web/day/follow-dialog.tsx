import { calendarErrors, specialApi, weekdayOf } from '@campus/calendar/contract'
import type { Effects } from '@campus/calendar/contract'
import { AppModal, call, leaving, useSaving } from '@kit/web'
import { Alert, Form, Radio, Select } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { useCalendarChanged } from '../use-changed.ts'
import { dayText, weekday_names } from '../words.ts'
import { EffectsNote } from './effects-note.tsx'

type Values = { way: 'date' | 'weekday'; follows_weekday: number; follows_week_kind: 0 | 1 | 2 }

/** Says which day's lessons a make-up day runs: those of the day that was pointed at, or of a weekday. */
export function FollowDialog({ date, follows_date, onClose }: { date: string; follows_date: string | null; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const way = Form.useWatch('way', form) ?? 'date'
  const { busy, refused, run } = useSaving(form, { [calendarErrors.followChain.id]: 'way', [calendarErrors.followNotSchoolDay.id]: 'way' })
  const changed = useCalendarChanged()
  const [effects, setEffects] = useState<Effects | null>(null)
  const asked = ({ follows_weekday, follows_week_kind }: Values, preview: boolean) =>
    way === 'date' ? { date, follows_date, preview } : { date, follows_weekday, follows_week_kind: follows_week_kind === 0 ? null : follows_week_kind, preview }
  const send = async (preview: boolean) => {
    setEffects((await call(specialApi.makeUp, asked(form.getFieldsValue(true), preview), { quiet: true })).effects)
  }
  useEffect(() => {
    void call(specialApi.makeUp, { date, follows_date, preview: true }, { quiet: true }).then(answer => setEffects(answer.effects), () => setEffects(null))
  }, [date, follows_date])
  const save = async () => {
    if (!(await run(() => send(false), '设置成功'))) return
    await changed()
    onClose()
  }
  const pointed = follows_date === null ? '' : `${dayText(follows_date)}（${weekday_names[weekdayOf(follows_date)]}）`
  return (
    <AppModal open width={520} title={`${dayText(date)}（${weekday_names[weekdayOf(date)]}）补哪天的课`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="follow" layout="vertical" initialValues={{ way: 'date', follows_weekday: follows_date === null ? 1 : weekdayOf(follows_date), follows_week_kind: 0 }}>
        <Form.Item name="way" label="按哪天的课表">
          <Radio.Group options={[{ value: 'date', label: `${pointed}的课，含单双周` }, { value: 'weekday', label: '某个星期的课' }]} />
        </Form.Item>
        {way === 'weekday' && (
          <div className="term-fields">
            <Form.Item name="follows_weekday" label="星期"><Select options={[1, 2, 3, 4, 5].map(value => ({ value, label: weekday_names[value] }))} /></Form.Item>
            <Form.Item name="follows_week_kind" label="单双周"><Select options={[{ value: 0, label: '按本周' }, { value: 1, label: '单周' }, { value: 2, label: '双周' }]} /></Form.Item>
          </div>
        )}
      </Form>
      {effects && <EffectsNote effects={effects} />}
    </AppModal>
  )
}
