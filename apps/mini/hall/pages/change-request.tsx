import type { ChangeRequest, DayLesson } from '@campus/teaching/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Card } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { HallPage } from '../page.ts'

const states: Readonly<Record<number, string>> = { 1: '已生效', 2: '已撤回', 3: '待同意', 4: '对方已谢绝', 5: '待审批', 6: '已驳回', 7: '已过期' }
/** By the state of the new order: who may change lessons himself does not wait. */
const sent_texts: Readonly<Record<number, string>> = { 1: '已调整，课表已更新', 3: '已发出，等待对方同意', 5: '已提交，等待教务审批' }
const [swap, move] = [2, 3] as const
const sections = Array.from({ length: 12 }, (_, at) => at + 1)
const shown_requests = 5

/** 我的调课申请: the latest ones with what became of them; one that waits may be taken back. */
export function OwnRequests({ call, say }: Pick<HallPage, 'call' | 'say'>): ReactNode {
  const { data, again } = useLoaded(useCallback(() => call('changeRequests', {}), [call]))
  const withdraw = async ({ id }: ChangeRequest) => {
    await call('withdrawChange', { id }).then(() => say('已撤回，课表不变'), (cause: unknown) => say(sentenceOf(cause)))
    again()
  }
  if (!data || data.list.length === 0) return null
  return (
    <Card title="我的调课申请">
      <ul className="lines">
        {data.list.slice(0, shown_requests).map(one => (
          <li key={one.id} className="line">
            <span className="words">
              <b>{one.lesson.date} 第{one.lesson.section}节 {one.lesson.class_name} {one.lesson.course_name}</b>
              <small>{one.target}{one.waits_for === '' ? '' : `，等待${one.waits_for}`}{one.answer === '' ? '' : `。${one.answer}`}</small>
            </span>
            <span className="tag">{states[one.state]}</span>
            {one.may_withdraw && <button type="button" className="link" onClick={() => void withdraw(one)}>撤回</button>}
          </li>
        ))}
      </ul>
    </Card>
  )
}

type FormProps = Pick<HallPage, 'call' | 'say'> & { lesson: DayLesson; onDone: () => void }

/** 申请调课 of one of my lessons: another time, or a swap with another lesson of the class. */
export function ChangeForm({ call, say, lesson, onDone }: FormProps): ReactNode {
  const { date, lesson_day_id } = lesson
  const [kind, choose] = useState<typeof swap | typeof move>(swap)
  const [other_date, setDate] = useState(date)
  const [target, setTarget] = useState('')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const turn = (next: typeof kind) => {
    choose(next)
    setTarget('')
  }
  const send = async () => {
    setBusy(true)
    const to = kind === swap ? { other_id: target } : { to_section: Number(target) }
    try {
      const { state } = await call('askChange', { date, lesson_day_id, kind, other_date, reason: reason.trim(), ...to })
      say(sent_texts[state] ?? '已提交')
      onDone()
    } catch (cause) {
      say(sentenceOf(cause))
    }
    setBusy(false)
  }
  return (
    <div className="leave-form">
      <div className="choice" role="group" aria-label="方式">
        <button type="button" aria-pressed={kind === swap} onClick={() => turn(swap)}>与本班另一节对调</button>
        <button type="button" aria-pressed={kind === move} onClick={() => turn(move)}>移到空课时段</button>
      </div>
      <label className="field">
        {kind === swap ? '对调日期' : '移到日期'}
        <input type="date" value={other_date} onChange={event => { setDate(event.target.value || date); setTarget('') }} />
      </label>
      {kind === swap ? <Partners call={call} lesson={lesson} other_date={other_date} value={target} choose={setTarget} />
        : <Sections value={target} choose={setTarget} />}
      <label className="field">
        原因
        <input value={reason} maxLength={200} placeholder="对方和教务处会看到" onChange={event => setReason(event.target.value)} />
      </label>
      <div className="consent-answers">
        <button type="button" className="button" disabled={busy} onClick={onDone}>取消</button>
        <button type="button" className="button button-first" disabled={busy || reason.trim() === '' || target === ''}
          onClick={() => void send()}>提交申请</button>
      </div>
    </div>
  )
}

type ChoiceProps = { value: string; choose: (value: string) => void }

function Partners({ call, lesson: { date, lesson_day_id }, other_date, value, choose }: ChoiceProps & Pick<FormProps, 'call' | 'lesson'> & {
  other_date: string }): ReactNode {
  const { data } = useLoaded(useCallback(() => call('changePartners', { date, lesson_day_id, other_date }), [call, date, lesson_day_id,
    other_date]))
  return (
    <label className="field">
      对调的课
      <select value={value} onChange={event => choose(event.target.value)}>
        <option value="">{data?.list.length === 0 ? '这一天没有可以对调的课' : '请选择'}</option>
        {data?.list.map(one => <option key={one.lesson_day_id} value={one.lesson_day_id}>{`第${one.section}节 ${one.course_name} ${
          one.teachers.map(teacher => teacher.user_name).join('、')}`}</option>)}
      </select>
    </label>
  )
}

function Sections({ value, choose }: ChoiceProps): ReactNode {
  return (
    <label className="field">
      移到第几节
      <select value={value} onChange={event => choose(event.target.value)}>
        <option value="">请选择</option>
        {sections.map(section => <option key={section} value={section}>第{section}节</option>)}
      </select>
    </label>
  )
}
