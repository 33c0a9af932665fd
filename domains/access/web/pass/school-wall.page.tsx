import { pass_directions, passChannel, wallApi, whoOf } from '@campus/access/contract'
import type { WallPass, WallSummary } from '@campus/access/contract'
import { call, dictionaryName, instantText, secondText, serverNow, useChannel, usePage, usePageKeys, useRealtime } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { useCall } from '@kit/web/part'
import { Button, Empty, Segmented, Select } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { AbnormalLink } from '../abnormal/abnormal-link.tsx'
import { PickupList } from '../pickup/pickup-list.tsx'
import './pass.css'

const PassDrawer = lazyDialog(() => import('./pass-drawer.tsx').then(part => part.PassDrawer))
const PresenceDrawer = lazyDialog(() => import('./presence-drawer.tsx').then(part => part.PresenceDrawer))
const [most_shown, accepted, summary_ms, highest] = [60, 1, 10_000, 12] as const
const kinds = { all: '全部', student: '学生', staff: '教职工', visitor: '访客', denied: '被拒' } as const
type Kind = keyof typeof kinds

/** 进出校实时监控: who comes and goes at the gates right now, and who is inside (chapter 35 §5). */
export default function SchoolEnterExit(): ReactNode {
  const root = useRef<HTMLDivElement>(null)
  const { open, close, dialog } = useDialog()
  const [kind, setKind] = useState<Kind>('all')
  const [place_id, setPlace] = useState<string | undefined>()
  const wall = useWall(place_id)
  const { data: summary, refetch } = useCall(wallApi.summary, {})
  useEffect(() => {
    const timer = setInterval(() => void refetch(), summary_ms)
    return () => clearInterval(timer)
  }, [refetch])
  const full = () => void (document.fullscreenElement ? document.exitFullscreen() : root.current?.requestFullscreen())
  usePageKeys({ ' ': () => wall.hold(!wall.is_held), f: full })
  const openInside = () => open(<PresenceDrawer onClose={close} />)
  const show = (pass: WallPass) => open(<PassDrawer of={pass} onClose={close} />)
  const state = useRealtime()
  const [was_connected, setConnected] = useState(false)
  if (state !== 'off' && !was_connected) setConnected(true)
  const shown = wall.passes.filter(pass => !pass.is_late && isOf(pass, kind))
  const [last] = shown
  return (
    <div className="wall" ref={root} data-ready={wall.is_ready && summary ? 'wall' : undefined}>
      {summary && <Counts summary={summary} openInside={openInside} />}
      <div className="wall-bar">
        <Segmented<Kind> options={options} value={kind} onChange={setKind} />
        <Select allowClear className="wall-gates" placeholder="全部校门" aria-label="校门" popupMatchSelectWidth={200} options={(summary?.gates ?? []).map(gate => ({ value: gate.place_id, label: gate.place_name }))} value={place_id} onChange={setPlace} />
        <Button onClick={() => wall.hold(!wall.is_held)}>{wall.is_held ? `继续（空格），${wall.waiting} 条新记录` : '暂停（空格）'}</Button>
        <Button onClick={full}>全屏（F）</Button>
        <AbnormalLink text="异常通行" />
      </div>
      {state === 'off' && was_connected && wall.is_ready && <p className="wall-lost" role="status">{`实时连接已断开，正在重连，画面停留在 ${instantText(wall.read_at)}`}</p>}
      <div className="wall-main">
        <section aria-label="最近一次通行" className="wall-last">{last ? <Last pass={last} /> : <Empty description="今天还没有通行，有人进出时会立即出现在这里" />}</section>
        <section aria-label="通行记录">
          <ul className="wall-cards">{shown.map(pass => <Card key={pass.pass_key} pass={pass} show={() => show(pass)} />)}</ul>
        </section>
        <section aria-label="校门">
          <h2>各校门近一小时</h2>
          {(summary?.gates ?? []).map(gate => <Gate key={gate.place_id} gate={gate} />)}
          <PickupList />
          <Late passes={wall.passes.filter(pass => pass.is_late)} />
        </section>
      </div>
      {dialog}
    </div>
  )
}

const options = (['all', 'student', 'staff', 'visitor', 'denied'] as const).map(value => ({ value, label: kinds[value] }))

function momentText(): string {
  return new Date(serverNow()).toISOString()
}

function isOf({ subject_kind, result }: WallPass, kind: Kind): boolean {
  if (kind === 'denied') return result !== accepted
  if (kind === 'student') return subject_kind === 1
  if (kind === 'visitor') return subject_kind === 4
  return kind === 'all' || subject_kind === 2 || subject_kind === 6 || subject_kind === 7
}

/** The passes on the wall: told that there are more, it asks for those behind its last one, so that none is shown twice and none is missing. */
function useWall(place_id: string | undefined) {
  const { active } = usePage()
  const [passes, setPasses] = useState<readonly WallPass[]>([])
  const [{ is_held, waiting }, setHold] = useState({ is_held: false, waiting: 0 })
  const [read_at, setReadAt] = useState('')
  const asked = useRef({ cursor: '', busy: false, again: false })
  const read = async () => {
    const own = asked.current
    if (own.busy) {
      own.again = true
      return
    }
    own.busy = true
    const fresh = await call(wallApi.since, { ...(own.cursor === '' ? {} : { cursor: own.cursor }), ...(place_id === undefined ? {} : { place_id }) }, { quiet: true }).catch(() => null)
    own.busy = false
    if (asked.current !== own || fresh === null) return
    own.cursor = fresh.cursor
    setReadAt(momentText())
    setPasses(before => [...fresh.list.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)), ...before].slice(0, most_shown))
    if (!own.again) return
    own.again = false
    await read()
  }
  const latest = useRef(read)
  useEffect(() => {
    latest.current = read
  })
  useEffect(() => {
    if (!active) return
    asked.current = { cursor: '', busy: false, again: false }
    setPasses([])
    void latest.current()
  }, [active, place_id])
  useChannel(passChannel, rows => {
    if (is_held) return setHold(before => ({ ...before, waiting: before.waiting + rows.reduce((sum, row) => sum + row.count, 0) }))
    return void read()
  }, { on: active, onGap: () => void read() })
  const hold = (next: boolean) => {
    setHold({ is_held: next, waiting: 0 })
    if (!next) void read()
  }
  return { passes, is_held, waiting, hold, read_at, is_ready: read_at !== '' }
}

function Counts({ summary: { student, teacher, visitors, in_count, out_count, denied_count }, openInside }: { summary: WallSummary; openInside: () => void }): ReactNode {
  const figures = [
    ['在校学生', `${student.inside}/${student.total}`], ['在校教职工', `${teacher.inside}/${teacher.total}`], ['在校访客', String(visitors)], ['今日进', String(in_count)], ['今日出', String(out_count)],
  ] as const
  return (
    <dl className="wall-counts">
      {figures.map(([label, text]) => <div key={label}><dt>{label}</dt><dd className="kit-number">{text}</dd></div>)}
      <div className="wall-denied"><dt>今日被拒</dt><dd className="kit-number">{denied_count}</dd></div>
      <div><dt>谁在校</dt><dd><Button onClick={openInside}>查看名单</Button></dd></div>
    </dl>
  )
}

function Face({ pass }: { pass: WallPass }): ReactNode {
  return <span className="wall-face" aria-hidden="true">{pass.photo_url ? <img src={pass.photo_url} alt="" /> : whoOf(pass).slice(0, 1)}</span>
}

function resultText({ result, direction }: WallPass): string {
  const way = { 1: '进', 2: '出' }[direction] ?? pass_directions['0']
  return result === accepted ? `✓ ${way}` : `✕ ${dictionaryName('PASS_STATE', String(result))}`
}

function Last({ pass }: { pass: WallPass }): ReactNode {
  return (
    <>
      <Face pass={pass} />
      <b>{whoOf(pass)}</b>
      <p>{pass.dept_name ?? pass.receiver_name ?? ''}</p>
      <p className={pass.result === accepted ? 'wall-good' : 'wall-bad'}><strong>{resultText(pass)}</strong></p>
      <p>{pass.place_name ?? '未绑定场所'}</p>
      <p className="kit-number">{secondText(pass.at)}</p>
    </>
  )
}

function Card({ pass, show }: { pass: WallPass; show: () => void }): ReactNode {
  const look = [pass.result === accepted ? '' : 'wall-refused', pass.is_repeat ? 'wall-again' : ''].filter(Boolean).join(' ')
  return (
    <li className={look}>
      <button type="button" onClick={show}>
        <Face pass={pass} />
        <span><b>{whoOf(pass)}</b><small>{pass.dept_name ?? ''}</small><small>{`${secondText(pass.at)} ${resultText(pass)}`}</small></span>
      </button>
    </li>
  )
}

function Gate({ gate: { place_name, in_count, out_count, online, devices, slots } }: { gate: WallSummary['gates'][number] }): ReactNode {
  const most = Math.max(1, ...slots)
  return (
    <div className="wall-gate">
      <p><b>{place_name}</b><span>{`进 ${in_count} 出 ${out_count}，设备在线 ${online}/${devices}`}</span></p>
      <svg viewBox={`0 0 ${highest * slots.length} 40`} preserveAspectRatio="none" role="img" aria-label={`${place_name}近一小时每5分钟人次：${slots.join('、')}`}>
        {slots.map((n, at) => <rect key={`${at}`} x={at * highest + 1} width={highest - 2} y={40 - (n / most) * 38} height={(n / most) * 38} />)}
      </svg>
    </div>
  )
}

function Late({ passes }: { passes: readonly WallPass[] }): ReactNode {
  if (passes.length === 0) return null
  return <><h2>补传</h2>{passes.slice(0, 10).map(pass => <p key={pass.pass_key}>{`${secondText(pass.at)} ${whoOf(pass)}`}</p>)}</>
}
