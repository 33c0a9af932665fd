import type { GiveOptions, GiveType } from '@campus/evaluation/contract'
import { useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { Refused, sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import type { EvaluatePage } from '../page.ts'
import { pointsText } from '../page.ts'

const of_class = 2
const by_photo = 2
const conflict = 409
const most_subjects = 60

/** 评价: a type, then names; one tap gives, and the last command can be taken back. */
export function Give(page: EvaluatePage): ReactNode {
  const { call } = page
  const { data, failure, again } = useLoaded(useCallback(() => call('options', {}), [call]))
  if (!data) return failure === undefined ? <Bars rows={6} /> : <Failed msg={failure} onAgain={again} />
  const types = data.types.filter(one => one.evidence !== by_photo)
  const [first] = types
  const [first_class] = data.classes
  if (!first) return <Empty text="学校还没有启用评星类型，请联系德育处" />
  if (!first_class) return <Empty text="您没有可评定的班级" />
  return <Giving {...page} options={{ ...data, types }} first={first} first_class={first_class.dept_id} onGiven={again} />
}

function Empty({ text }: { text: string }): ReactNode {
  return (
    <Card title="评价">
      <p className="empty">{text}</p>
    </Card>
  )
}

type GivingProps = EvaluatePage & { options: GiveOptions; first: GiveType; first_class: string; onGiven: () => void }

function Giving({ call, say, options, first, first_class, onGiven }: GivingProps): ReactNode {
  const [type_id, setType] = useState(first.id)
  const [dept_id, setDept] = useState(first_class)
  const [chosen, choose] = useState<readonly string[]>([])
  const [reason, setReason] = useState('')
  const type = options.types.find(one => one.id === type_id) ?? first
  const is_class = type.subject_kind === of_class
  const asked = { star_type_id: type.id, subject_ids: is_class ? [dept_id] : [...chosen], reason: reason.trim() }
  const changeClass = (id: string) => {
    setDept(id)
    choose([])
  }
  const given = () => {
    choose([])
    onGiven()
  }
  return (
    <>
      <TypeCard options={options} type={type} onPick={id => setType(id)} />
      <Card title={is_class ? '选择班级' : '选择学生'}>
        <label className="field">
          班级
          <select value={dept_id} onChange={event => changeClass(event.target.value)}>
            {options.classes.map(one => (
              <option key={one.dept_id} value={one.dept_id}>
                {one.dept_name}
              </option>
            ))}
          </select>
        </label>
        {!is_class && <Names key={dept_id} call={call} dept_id={dept_id} chosen={chosen} choose={choose} />}
        <label className="field">
          {type.evidence > 0 ? '理由（必填）' : '理由'}
          <input value={reason} maxLength={200} placeholder={type.star_name} onChange={event => setReason(event.target.value)} />
        </label>
        <Acts call={call} say={say} asked={asked} onGiven={given} />
      </Card>
    </>
  )
}

type ActsProps = EvaluatePage & { asked: { star_type_id: string; subject_ids: string[]; reason: string }; onGiven: () => void }

/** Gives; the same star again within five minutes is asked about, the last command can be taken back. */
function Acts({ call, say, asked, onGiven }: ActsProps): ReactNode {
  const [batch_no, setBatch] = useState<string>()
  const [repeated, setRepeated] = useState(false)
  const [busy, setBusy] = useState(false)
  const { length: count } = asked.subject_ids
  const run = async (act: () => Promise<string>) => {
    setBusy(true)
    try {
      say(await act())
      setRepeated(false)
      onGiven()
    } catch (cause) {
      setRepeated(cause instanceof Refused && cause.status === conflict)
      say(sentenceOf(cause))
    }
    setBusy(false)
  }
  const give = async () => {
    const done = await call('give', { ...asked, confirm: repeated })
    setBatch(done.batch_no)
    return `已评定 ${done.given}个${done.waiting ? '，等待审核' : ''}`
  }
  const undo = async () => {
    await call('undo', { batch_no: batch_no ?? '' })
    setBatch(undefined)
    return '已撤销'
  }
  const may_give = !busy && count > 0 && count <= most_subjects
  return (
    <div className="leave-acts">
      {batch_no !== undefined && (
        <button type="button" className="button" disabled={busy} onClick={() => void run(undo)}>
          撤销上一次
        </button>
      )}
      <button type="button" className="button button-first" disabled={!may_give} onClick={() => void run(give)}>
        {repeated ? '仍要评定' : '评定'}（{count}）
      </button>
    </div>
  )
}

function TypeCard({ options, type, onPick }: { options: GiveOptions; type: GiveType; onPick: (id: string) => void }): ReactNode {
  return (
    <Card title="选择指标" side={type.left === null ? undefined : <small>本周还可评{type.left}次</small>}>
      {options.dimensions
        .filter(one => options.types.some(each => each.superior_id === one.id))
        .map(dimension => (
          <fieldset key={dimension.id} className="leave-choice">
            <legend>{dimension.star_name}</legend>
            <div className="choice">
              {options.types
                .filter(one => one.superior_id === dimension.id)
                .map(one => (
                  <button key={one.id} type="button" aria-pressed={one.id === type.id} onClick={() => onPick(one.id)}>
                    {one.star_name} {pointsText(one.step * one.sign)}
                  </button>
                ))}
            </div>
          </fieldset>
        ))}
    </Card>
  )
}

type NamesProps = Pick<EvaluatePage, 'call'> & { dept_id: string; chosen: readonly string[]; choose: (ids: readonly string[]) => void }

function Names({ call, dept_id, chosen, choose }: NamesProps): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('pupils', { dept_id }), [call, dept_id]))
  if (!data) return failure === undefined ? <Bars rows={4} /> : <Failed msg={failure} onAgain={again} />
  if (data.list.length === 0) return <p className="empty">该班级没有学生</p>
  const toggle = (id: string) => choose(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id])
  return (
    <div className="choice" role="group" aria-label="学生">
      {data.list.map(one => (
        <button key={one.user_id} type="button" aria-pressed={chosen.includes(one.user_id)} onClick={() => toggle(one.user_id)}>
          {one.user_name}
          {one.today > 0 && ` ★${one.today}`}
        </button>
      ))}
    </div>
  )
}
