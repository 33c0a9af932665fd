import { evidence_names, most_files, most_subjects, pointsText, recordApi } from '@campus/evaluation/contract'
import type { GiveOptions, GivePupil, GiveType } from '@campus/evaluation/contract'
import { AppModal, call, CallError, confirmDanger, leaving } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { UploadField } from '@kit/web/upload'
import type { Uploaded, UploadRule } from '@kit/web/upload'
import { Button, Input, InputNumber, Select } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { StarBadge } from './star-badge.tsx'

type Props = { onClose: () => void; onGiven: () => void }
const of_class = 2
const by_photo = 2
const file_rule: UploadRule = { purpose: 'notice', kind: '1', prepare: 'photo' }
const extensions = ['.jpg', '.jpeg', '.png']

/** 评星: a class, a type, the pupils who get it; keys 1 to 9 choose the type, Enter gives (chapter 55 §5). */
export function GiveDialog({ onClose, onGiven }: Props): ReactNode {
  const options = useCall(recordApi.options, {})
  const given = () => {
    void options.refetch()
    onGiven()
  }
  return (
    <AppModal open width={960} title="评星" footer={null} onCancel={leaving(false, onClose)}>
      <Loaded query={options}>{loaded => <Checked options={loaded} onGiven={given} />}</Loaded>
    </AppModal>
  )
}

function Checked({ options, onGiven }: { options: GiveOptions; onGiven: () => void }): ReactNode {
  const [first] = options.types
  if (!first) return <p className="star-hint">还没有可评的指标，请先在“评星类型”中新增并启用</p>
  if (options.classes.length === 0) return <p className="star-hint">您没有可评定的班级，请联系管理员设置数据范围</p>
  return <Giving options={options} first={first} onGiven={onGiven} />
}

function Giving({ options, first, onGiven }: { options: GiveOptions; first: GiveType; onGiven: () => void }): ReactNode {
  const [type_id, setType] = useState(first.id)
  const [dept_id, setDept] = useState(options.classes[0]?.dept_id ?? '')
  const [chosen, choose] = useState<readonly string[]>([])
  const [times, setTimes] = useState(1)
  const [reason, setReason] = useState('')
  const [files, setFiles] = useState<readonly Uploaded[]>([])
  const type = options.types.find(one => one.id === type_id) ?? first
  const { busy, act } = useAct([recordApi.pupils], onGiven)
  const changeClass = (id: string) => {
    setDept(id)
    choose([])
  }
  const pick = (next: GiveType) => {
    setType(next.id)
    setTimes(Math.min(times, next.times_max))
    if (next.subject_kind !== type.subject_kind) choose([])
  }
  const give = async () => {
    const asked = { subject_ids: [...chosen], star_type_id: type.id, times, reason, file_keys: files.map(file => file.file_key) }
    const done = await act(() => send(asked), {
      done: reply => `已评定 ${reply.given}个${reply.waiting ? '，等待审核' : ''}`,
      undo: reply => call(recordApi.undo, { batch_no: reply.batch_no }, { quiet: true }),
    })
    if (!done) return
    choose([])
    setFiles([])
  }
  useKeys(options.types, pick, () => chosen.length > 0 && void give())
  return (
    <div className="star-give">
      <TypeWheel options={options} value={type.id} onPick={pick} />
      <div className="star-give-main">
        {type.subject_kind === of_class && <Classes options={options} chosen={chosen} choose={choose} />}
        {type.subject_kind !== of_class && (
          <Pupils options={options} dept_id={dept_id} setDept={changeClass} chosen={chosen} choose={choose} />
        )}
        <Foot type={type} times={times} setTimes={setTimes} reason={reason} setReason={setReason}>
          <Button type="primary" loading={busy} disabled={chosen.length === 0 || chosen.length > most_subjects} onClick={() => void give()}>
            评定（{chosen.length}）
          </Button>
        </Foot>
        {type.evidence === by_photo && <Photos files={files} onChange={setFiles} />}
        <p className="star-hint">
          {type.left === null ? '' : `本周还可评${type.left}次。`}按1至9选择指标，选好姓名后按回车评定；评定后10秒内可撤销。
        </p>
      </div>
    </div>
  )
}

function Photos({ files, onChange }: { files: readonly Uploaded[]; onChange: (files: readonly Uploaded[]) => void }): ReactNode {
  const hint = `须上传佐证图片，最多${most_files}张`
  return <UploadField rule={file_rule} extensions={extensions} most={most_files} value={files} onChange={onChange} hint={hint} />
}

type FootProps = {
  type: GiveType
  times: number
  setTimes: (n: number) => void
  reason: string
  setReason: (text: string) => void
  children: ReactNode
}

function Foot({ type, times, setTimes, reason, setReason, children }: FootProps): ReactNode {
  return (
    <div className="star-give-foot">
      {type.times_max > 1 && (
        <InputNumber
          aria-label="次数"
          min={1}
          max={type.times_max}
          precision={0}
          value={times}
          suffix="次"
          onChange={n => setTimes(n ?? 1)}
        />
      )}
      <Input
        aria-label="理由"
        maxLength={200}
        value={reason}
        placeholder={type.evidence > 0 ? `理由（须${evidence_names[1]}）` : '理由，可不填'}
        onChange={event => setReason(event.target.value)}
      />
      {children}
    </div>
  )
}

/** Keys of the dialog: 1 to 9 choose a type, Enter gives, except where something is typed or another button has the focus. */
function useKeys(types: readonly GiveType[], pick: (type: GiveType) => void, give: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const at = event.target
      if (at instanceof HTMLInputElement || at instanceof HTMLTextAreaElement) return
      const next = /^[1-9]$/u.test(event.key) ? types[Number(event.key) - 1] : undefined
      if (next) pick(next)
      if (event.key !== 'Enter' || (at instanceof HTMLButtonElement && at.dataset.pupil === undefined)) return
      event.preventDefault()
      give()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  })
}

type Asked = Parameters<typeof call<typeof recordApi.give>>[1]

/** The same star again within five minutes is asked about. */
async function send(asked: Asked): ReturnType<typeof call<typeof recordApi.give>> {
  try {
    return await call(recordApi.give, asked, { quiet: true })
  } catch (cause) {
    if (
      !(cause instanceof CallError) ||
      cause.error_id !== 'evaluation.dup' ||
      !(await confirmDanger({ title: cause.message, ok: '继续评定' }))
    )
      throw cause
    return call(recordApi.give, { ...asked, confirm: true }, { quiet: true })
  }
}

function TypeWheel({ options, value, onPick }: { options: GiveOptions; value: string; onPick: (type: GiveType) => void }): ReactNode {
  return (
    <div className="star-wheel">
      {options.dimensions
        .filter(one => options.types.some(type => type.superior_id === one.id))
        .map(dimension => (
          <div key={dimension.id}>
            <small>{dimension.star_name}</small>
            {options.types
              .filter(type => type.superior_id === dimension.id)
              .map(type => {
                const place = options.types.indexOf(type) + 1
                return (
                  <Button
                    key={type.id}
                    block
                    type={type.id === value ? 'primary' : 'default'}
                    aria-pressed={type.id === value}
                    onClick={() => onPick(type)}
                  >
                    <StarBadge icon={type.icon} colour={type.colour} /> {type.star_name} {pointsText(type.step * type.sign)}
                    {place <= 9 && <kbd>{place}</kbd>}
                  </Button>
                )
              })}
          </div>
        ))}
    </div>
  )
}

type Choosing = { options: GiveOptions; chosen: readonly string[]; choose: (ids: readonly string[]) => void }
const toggled = (chosen: readonly string[], id: string) => (chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id])

function Classes({ options, chosen, choose }: Choosing): ReactNode {
  return (
    <div className="star-names">
      {options.classes.map(one => (
        <Button
          key={one.dept_id}
          data-pupil=""
          type={chosen.includes(one.dept_id) ? 'primary' : 'default'}
          aria-pressed={chosen.includes(one.dept_id)}
          onClick={() => choose(toggled(chosen, one.dept_id))}
        >
          {one.dept_name}
        </Button>
      ))}
    </div>
  )
}

function Pupils({ options, dept_id, setDept, chosen, choose }: Choosing & { dept_id: string; setDept: (id: string) => void }): ReactNode {
  const pupils = useCall(recordApi.pupils, { dept_id })
  const classes = options.classes.map(one => ({ value: one.dept_id, label: `${one.dept_name}（${one.heads}人）` }))
  return (
    <>
      <div className="star-give-foot">
        <Select
          aria-label="班级"
          className="kit-fill"
          showSearch={{ optionFilterProp: 'label' }}
          options={classes}
          value={dept_id}
          onChange={setDept}
        />
        <Button onClick={() => choose(pupils.data?.list.map(one => one.user_id).slice(0, most_subjects) ?? [])}>全选</Button>
        <Button disabled={chosen.length === 0} onClick={() => choose([])}>
          清空
        </Button>
      </div>
      <Loaded query={pupils}>
        {({ list }) =>
          list.length === 0 ? (
            <p className="star-hint">该班级没有学生</p>
          ) : (
            <div className="star-names">
              {list.map(one => (
                <Name
                  key={one.user_id}
                  pupil={one}
                  is_on={chosen.includes(one.user_id)}
                  onPick={() => choose(toggled(chosen, one.user_id))}
                />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  )
}

function Name({ pupil, is_on, onPick }: { pupil: GivePupil; is_on: boolean; onPick: () => void }): ReactNode {
  return (
    <Button data-pupil="" type={is_on ? 'primary' : 'default'} aria-pressed={is_on} title={pupil.student_no} onClick={onPick}>
      {pupil.user_name}
      {pupil.today > 0 && <small> ★{pupil.today}</small>}
    </Button>
  )
}
