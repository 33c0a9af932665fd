import { claim_names, rollcallApi } from '@campus/attendance/contract'
import type { RollCall, RollPupil } from '@campus/attendance/contract'
import { AppModal, call, CallError, confirmDanger, instantText, toast, useSaving } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Segmented, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Claim = RollPupil['claim']
type Props = { lesson_day_id: string; is_bulk: boolean; onClose: () => void; onDone: () => void }
const claims = Object.entries(claim_names).map(([value, label]) => ({ value, label }))

/** 点名 of a lesson, filled from what devices saw; 批量补录 after an outage saves only who was there. */
export function RollCallDialog({ lesson_day_id, is_bulk, onClose, onDone }: Props): ReactNode {
  const query = useCall(rollcallApi.read, { lesson_day_id })
  return (
    <Loaded query={query} rows={8}>
      {roll => <RollCallForm key={roll.version} roll={roll} is_bulk={is_bulk} onClose={onClose} onDone={onDone} readAgain={() => void query.refetch()} />}
    </Loaded>
  )
}

type FormProps = Omit<Props, 'lesson_day_id'> & { roll: RollCall; readAgain: () => void }

function RollCallForm({ roll, is_bulk, onClose, onDone, readAgain }: FormProps): ReactNode {
  const [said, say] = useState<ReadonlyMap<string, Claim>>(() => new Map(roll.pupils.map(pupil => [pupil.user_id, is_bulk && !pupil.in_school && pupil.in_at === null ? 'absent' : pupil.claim])))
  const { busy, refused, run } = useSaving()
  const rows = roll.pupils.map(({ user_id }) => ({ user_id, claim: said.get(user_id) ?? 'present' }))
  const count = (claim: Claim) => rows.filter(row => row.claim === claim).length
  const asked = { lesson_day_id: roll.lesson_day_id, version: roll.version, rows }
  const submit = async () => {
    const is_all = count('absent') === rows.length
    if (is_all && !(await confirmDanger({ title: '全班都标为缺勤？', touches: '请先确认上课地点没有变更。', ok: '确认提交' }))) return
    const send = () => call(rollcallApi.submit, { ...asked, is_bulk, confirm_all: is_all }, { quiet: true })
    if (!(await run(send, is_bulk ? '补录成功' : '点名成功'))) return
    onDone()
    onClose()
  }
  const save = async () => {
    try {
      await call(rollcallApi.draft, asked, { quiet: true })
      toast.success('草稿已保存')
      readAgain()
    } catch (cause) {
      toast.warning(cause instanceof CallError ? cause.message : '保存失败，请重试')
    }
  }
  const mark = (user_id: string, claim: Claim) => say(new Map([...said, [user_id, claim]]))
  const all = () => say(new Map(roll.pupils.map(pupil => [pupil.user_id, pupil.leave ? 'absent' : 'present'])))
  const footer = <><Button onClick={all}>全部到齐</Button>{!is_bulk && <Button onClick={() => void save()}>存草稿</Button>}<Button onClick={onClose}>取消</Button><Button type="primary" loading={busy} onClick={() => void submit()}>提交</Button></>
  return (
    <AppModal open width={640} title={`${is_bulk ? '批量补录' : '点名'}：${roll.class_name} ${roll.title}`} footer={footer} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} action={<Button size="small" onClick={readAgain}>刷新</Button>} />}
      {roll.taken_at !== null && <p>{roll.taken_by_name} {instantText(roll.taken_at)} {roll.state === 'submitted' ? '已提交' : '存为草稿'}</p>}
      {is_bulk && <p>已按校门进校记录预选，只保存标为到、迟到、早退的学生；其余仍为待核实。</p>}
      <p role="status">应到 {rows.length}，到 {count('present')}，迟到 {count('late')}，早退 {count('left')}，缺勤 {count('absent')}</p>
      <ul className="attend-roll">
        {roll.pupils.map(pupil => <PupilLine key={pupil.user_id} pupil={pupil} claim={said.get(pupil.user_id) ?? 'present'} mark={mark} />)}
      </ul>
    </AppModal>
  )
}

function PupilLine({ pupil, claim, mark }: { pupil: RollPupil; claim: Claim; mark: (user_id: string, claim: Claim) => void }): ReactNode {
  const choose = (value: string) => {
    for (const known of ['present', 'late', 'absent', 'left'] as const) if (known === value) mark(pupil.user_id, known)
  }
  return (
    <li>
      <span><b>{pupil.user_name}</b> {pupil.leave && <Tag color="blue">请假</Tag>}{pupil.in_at !== null && <Tag color="green">{instantText(pupil.in_at).slice(11)} 打卡</Tag>}{pupil.in_school && pupil.in_at === null && <Tag>在校</Tag>}</span>
      <Segmented size="small" aria-label={pupil.user_name} options={claims} value={claim} onChange={choose} />
    </li>
  )
}
