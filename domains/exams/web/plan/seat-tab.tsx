import { planApi } from '@campus/exams/contract'
import type { ExamPlan, SeatMap, SeatRow } from '@campus/exams/contract'
import { call, ImportButton, instantText, useCan } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Empty, InputNumber, Segmented, Select, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { RoomMap } from './room-map.tsx'
import type { Held } from './room-map.tsx'

const most_seed = 2_147_483_647

/** 座位: the seat map of a session, drawn as the room is; runs with a seed, moves by mouse and keys (chapter 55 §5). */
export function SeatTab({ plan: { exam, sessions }, written }: { plan: ExamPlan; written: () => void }): ReactNode {
  const [session_id = sessions[0]?.session_id, choose] = useState<string>()
  const [mode, take] = useState<'random' | 'number'>('random')
  const [typed, type] = useState<number>()
  const query = useCall(planApi.seats, { exam_id: exam.exam_id, session_id: session_id ?? '0' }, { enabled: session_id !== undefined, keep: true })
  const { busy, act } = useAct([planApi.seats, planApi.duties, planApi.candidates], written)
  const may_run = useCan(planApi.runSeats) && exam.state < 2
  const seed = typed ?? query.data?.seed ?? 1
  const run = (next: number) => {
    type(next)
    const ask = (query.data?.seats.length ?? 0) > 0 && { title: '重新编排全部座位？', touches: '已锁定的座位保留，手工调整和监考安排会被替换。', ok: '重新编排' }
    return act(() => call(planApi.runSeats, { exam_id: exam.exam_id, mode, seed: next }, { quiet: true }), { ask, done: ({ seated, violations }) => `已编排 ${seated}个座位，同班相邻 ${violations}处` })
  }
  if (session_id === undefined) return <Empty description="还没有场次：请先在考试管理中安排场次" />
  return (
    <>
      <div className="exam-head">
        <Select className="exam-select" aria-label="场次" value={session_id} onChange={choose} options={sessions.map(one => ({ value: one.session_id, label: `${instantText(one.begin_at).slice(5, 16)} ${one.session_name}` }))} />
        {may_run && (
          <span className="exam-spring exam-head">
            <Segmented options={[{ value: 'random', label: '随机避同班' }, { value: 'number', label: '按考号' }]} value={mode} onChange={value => take(value === 'number' ? 'number' : 'random')} />
            <InputNumber className="exam-short" aria-label="种子" prefix="种子" min={1} max={most_seed} precision={0} value={seed} onChange={value => type(value ?? 1)} />
            <ImportButton code="exams.plan.import" template="exam_room" title="考场安排导入" label="导入" unit="条" onApplied={() => { void query.refetch(); written() }} />
            <Button disabled={seed >= most_seed} loading={busy} onClick={() => void run(seed + 1)}>换一批</Button>
            <Button type="primary" loading={busy} onClick={() => void run(seed)}>编排座位</Button>
          </span>
        )}
      </div>
      <Loaded query={query} rows={10}>{map => <Map exam_id={exam.exam_id} session_id={session_id} map={map} readOnly={exam.state > 2} />}</Loaded>
    </>
  )
}

type MapProps = { exam_id: string; session_id: string; map: SeatMap; readOnly: boolean }

function Map({ exam_id, session_id, map, readOnly }: MapProps): ReactNode {
  const used = map.rooms.filter(room => map.seats.some(one => one.room_id === room.room_id))
  const [chosen, choose] = useState<string>()
  const [held, hold] = useState<Held | null>(null)
  const { act } = useAct([planApi.seats])
  const may_move = useCan(planApi.move) && !readOnly
  const room = used.find(one => one.room_id === chosen) ?? used[0]
  const move = async (user_id: string, to: { room_id: string; seat: number; other_id: string | null }) => {
    const from = map.seats.find(one => one.user_id === user_id)
    hold(null)
    const back = from && { room_id: from.room_id, seat: from.seat, other_id: to.other_id }
    const send = (asked: { room_id: string; seat: number; other_id: string | null }) => call(planApi.move, { exam_id, session_id, user_id, ...asked }, { quiet: true })
    await act(() => send(to), { done: ({ swapped }) => (swapped === null ? '已移动' : `已与${swapped}对调`), ...(back ? { undo: () => send(back) } : {}) })
  }
  const pin = (seat: SeatRow) => act(() => call(planApi.pin, { exam_id, session_id, user_id: seat.user_id, pinned: !seat.pinned }, { quiet: true }), { done: seat.pinned ? '已解锁' : '已锁定' })
  if (!room) return <Empty description={map.rooms.length === 0 ? '还没有考场：请先在“考场”中选择' : '还没有编排座位：选择方式和种子后点“编排座位”'} />
  return (
    <>
      <div className="exam-head">
        <Select className="exam-select" aria-label="考场" value={room.room_id} onChange={choose} options={used.map(one => ({ value: one.room_id, label: `${one.number}考场 ${one.place_name}（${map.seats.filter(seat => seat.room_id === one.room_id).length}人）` }))} />
        <Tag color={map.violations.length === 0 ? 'green' : 'red'}>同班相邻 {map.violations.length}</Tag>
        {map.unseated > 0 && <Tag color="red">没有座位 {map.unseated}</Tag>}
        {held && <Tag color="orange" closable onClose={() => hold(null)}>正在移动 {held.user_name}：再点目标座位</Tag>}
        <small>点座位拿起再点目标；键盘：方向键移动，M 拿起/放下，P 锁定</small>
      </div>
      {map.violations.length > 0 && <Alert type="warning" title={map.violations.slice(0, 5).map(one => one.text).join('；')} />}
      <RoomMap room={room} seats={map.seats} bad={new Set(map.violations.flatMap(one => one.user_ids))} held={held} hold={may_move ? hold : null} move={(id, to) => void move(id, to)} pin={may_move ? seat => void pin(seat) : null} />
    </>
  )
}
