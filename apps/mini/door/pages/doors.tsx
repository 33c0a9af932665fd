import type { DoorRow } from '@campus/access/contract'
import { useCallback, useEffect, useState } from 'react'
import type { FormEvent, ReactNode } from 'react'
import { sentenceOf } from '../../shell/ask.ts'
import { Bars, Card, Failed } from '../../shell/parts.tsx'
import { useLoaded } from '../../shell/use-loaded.ts'
import { clockText } from '../page.ts'
import type { DoorPage } from '../page.ts'

const refreshed_ms = 5000
const reasons = [
  ['1', '忘带卡'],
  ['2', '访客'],
  ['3', '送货'],
  ['4', '设备故障'],
  ['9', '其他'],
] as const
const mode_words: Readonly<Record<DoorRow['mode'], string>> = {
  normal: '按规则',
  held: '常开',
  locked: '锁定',
  evacuated: '疏散常开',
  sealed: '封闭',
}
const result_words: Readonly<Record<string, string>> = {
  QUEUED: '发送中',
  SENT: '发送中',
  SUCCESSFUL: '已执行',
  FAILED: '失败',
  TIMEOUT: '超时',
  EXPIRED: '已过期',
}

/** 我的门: how each door is, and opening it for who stands at it, with a reason (chapter 35 R53). */
export function Doors({ call, say, may_open }: DoorPage & { may_open: boolean }): ReactNode {
  const { data, failure, again } = useLoaded(useCallback(() => call('doors', {}), [call]))
  const [chosen, choose] = useState<string | null>(null)
  useEffect(() => {
    const timer = window.setInterval(again, refreshed_ms)
    return () => window.clearInterval(timer)
  }, [again])
  const opened = () => {
    choose(null)
    say('指令已发送')
    again()
  }
  return (
    <Card title={`我的门 ${data?.list.length ?? ''}`}>
      {data?.emergency && (
        <p role="alert" className="tag tag-warn">
          {data.emergency.kind === 5 ? '疏散全开进行中' : '封闭进行中'}：{data.emergency.reason}
        </p>
      )}
      {!data && (failure === undefined ? <Bars rows={5} /> : <Failed msg={failure} onAgain={again} />)}
      {data?.list.length === 0 && <p className="empty">没有由您负责的门</p>}
      <ul className="lines">
        {data?.list.map(door => (
          <li key={door.device_id}>
            <div className="line">
              <span className="words">
                <b>{door.device_name}</b>
                <small>{door.node_path_name}</small>
                <small>{stateOf(door)}</small>
              </span>
              <span className={door.online ? 'tag' : 'tag tag-warn'}>{door.online ? mode_words[door.mode] : '离线'}</span>
              {may_open && (
                <button
                  type="button"
                  className="button"
                  disabled={!door.online}
                  aria-label={`打开${door.device_name}`}
                  onClick={() => choose(door.device_id)}
                >
                  开门
                </button>
              )}
            </div>
            {chosen === door.device_id && <Reason call={call} say={say} door={door} onDone={opened} onClose={() => choose(null)} />}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function stateOf({ last_command, last_pass }: DoorRow): string {
  const told = last_command === null ? '' : `上次指令${result_words[last_command.state ?? ''] ?? '已归档'} `
  if (last_pass === null) return `${told}今天还没有人通过`
  return `${told}${clockText(last_pass.at)} ${last_pass.user_name ?? '陌生人'}${last_pass.result === 1 ? '通过' : '被拒'}`
}

type ReasonProps = DoorPage & { door: DoorRow; onDone: () => void; onClose: () => void }

function Reason({ call, say, door, onDone, onClose }: ReasonProps): ReactNode {
  const [code, setCode] = useState<(typeof reasons)[number][0]>('1')
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const send = () => {
    setBusy(true)
    const reason = text.trim() === '' ? (reasons.find(([one]) => one === code)?.[1] ?? '') : text.trim()
    call('open', { device_ids: [door.device_id], reason_code: code, reason }).then(onDone, (cause: unknown) => {
      setBusy(false)
      say(sentenceOf(cause))
    })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (code === '9' && text.trim() === '') return say('请填写开门原因')
    send()
  }
  return (
    <form className="leave-form" noValidate onSubmit={submit}>
      {door.is_perimeter && <p>这是校门，请确认门前人员身份后再打开。</p>}
      <fieldset className="leave-choice">
        <legend>开门原因</legend>
        <div className="choice">
          {reasons.map(([value, label]) => (
            <button key={value} type="button" aria-pressed={code === value} onClick={() => setCode(value)}>
              {label}
            </button>
          ))}
        </div>
      </fieldset>
      <div className="search">
        <input
          aria-label="补充说明"
          placeholder={code === '9' ? '请填写原因（必填）' : '补充说明（可不填）'}
          value={text}
          maxLength={100}
          required={code === '9'}
          onChange={event => setText(event.target.value)}
        />
      </div>
      <div className="leave-acts">
        <button type="button" className="button" onClick={onClose}>取消</button>
        <button type="submit" className="button button-first" disabled={busy}>
          确认开门
        </button>
      </div>
    </form>
  )
}
