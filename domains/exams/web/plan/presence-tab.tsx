import { presence_states, presenceApi, scoreApi } from '@campus/exams/contract'
import type { ExamPlan, Presence, PresenceRow } from '@campus/exams/contract'
import { call, instantText } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Empty, Select, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type State = 1 | 2 | 3 | 4 | 5
type Room = Presence['rooms'][number]
const names: Readonly<Record<number, string>> = presence_states
const colors: Readonly<Record<number, string>> = { 1: 'green', 2: 'orange', 3: 'red', 4: 'red', 5: 'orange' }
const choices: readonly State[] = [1, 2, 3, 4, 5]
const published = 2

/** 现场: who has signed in where, and the list of who is missing, room by room (chapter 55 rule 32). */
export function PresenceTab({ plan: { exam, sessions } }: { plan: ExamPlan }): ReactNode {
  const [session_id = sessions[0]?.session_id, choose] = useState<string>()
  const query = useCall(presenceApi.read, { session_id: session_id ?? '0' }, { enabled: session_id !== undefined &&
    exam.state >= published, keep: true })
  if (session_id === undefined || exam.state < published) return <Empty description="安排发布后，开考前30分钟开始签到" />
  return (
    <>
      <div className="exam-head">
        <Select
          className="exam-select" aria-label="场次" value={session_id} onChange={choose}
          options={sessions.map(one => ({ value: one.session_id, label: `${instantText(one.begin_at).slice(5, 16)} ${one.session_name}` }))}
        />
        <Button className="exam-spring" onClick={() => void query.refetch()}>刷新</Button>
      </div>
      <Loaded query={query} rows={10}>{presence => <Rooms key={presence.session_id} presence={presence} />}</Loaded>
    </>
  )
}

function Rooms({ presence }: { presence: Presence }): ReactNode {
  const [room_id = presence.rooms[0]?.room_id, choose] = useState<string>()
  const { busy, act } = useAct([presenceApi.read, scoreApi.grid, scoreApi.tasks])
  const room = presence.rooms.find(one => one.room_id === room_id)
  const { session_id } = presence
  const sign = (row: PresenceRow, state: State) => act(() => call(presenceApi.sign, { session_id, rows: [{ user_id: row.user_id,
    state }] }, { quiet: true }), { done: `${row.user_name} ${names[state]}` })
  const confirm = (one: Room, missing: number) => act(() => call(presenceApi.confirm, { session_id, room_id: one.room_id },
    { quiet: true }), {
    ask: { title: `确认${one.number}考场的缺考名单？`, touches: `未签到的${missing}人记为缺考，这一场的科目自动填“缺考”，确认后不能修改。`, ok: '确认' }, done: ({ absent }) =>
      `已确认，缺考${absent}人`,
  })
  const rows = presence.rows.filter(row => row.room_id === room_id)
  const missing = rows.filter(row => row.state === null).length
  if (!room) return <Empty description="这一场还没有编排座位" />
  return (
    <>
      <div className="exam-rooms">{presence.rooms.map(one =>
        <RoomTile key={one.room_id} room={one} rows={presence.rows} chosen={one.room_id === room_id} choose={() =>
          choose(one.room_id)} />)}</div>
      <div className="exam-head">
        <h2>{room.number}考场 {room.place_name}</h2>
        {room.confirmed_at === null
          ? <Button type="primary" className="exam-spring" disabled={!presence.may_confirm} loading={busy} onClick={() =>
            void confirm(room, missing)}>确认缺考名单</Button>
          : <Tag className="exam-spring" color="green">{room.confirmed_by} {instantText(room.confirmed_at).slice(5, 16)} 已确认</Tag>}
      </div>
      <Rows rows={rows} is_open={room.confirmed_at === null} busy={busy} sign={(row, state) => void sign(row, state)} />
    </>
  )
}

type RowsProps = { rows: readonly PresenceRow[]; is_open: boolean; busy: boolean; sign: (row: PresenceRow, state: State) => void }

function Rows({ rows, is_open, busy, sign }: RowsProps): ReactNode {
  const columns = [
    { key: 'seat', title: '座位', width: 64, align: 'right' as const, dataIndex: 'seat' },
    { key: 'no', title: '考号', width: 112, render: (_: unknown, row: PresenceRow) => row.exam_no ?? '—' },
    { key: 'name', title: '姓名', width: 104, dataIndex: 'user_name' },
    { key: 'class', title: '班级', width: 128, dataIndex: 'dept_name' },
    { key: 'state', title: '状态', width: 96, render: (_: unknown, row: PresenceRow) =>
      (row.state === null ? <Tag>未签到</Tag> : <Tag color={colors[row.state]}>{names[row.state]}</Tag>) },
    { key: 'at', title: '签到', width: 176, render: (_: unknown, row: PresenceRow) => row.sign_at &&
      `${instantText(row.sign_at).slice(11, 16)} ${row.by_name ?? '刷卡刷脸'}` },
    { key: 'note', title: '说明', dataIndex: 'note' },
    {
      key: 'act', title: '登记', width: 128,
      render: (_: unknown, row: PresenceRow) => is_open && (
        <Select
          size="small" className="exam-short" aria-label={`登记 ${row.user_name}`} placeholder="选择" value={null} disabled={busy}
          options={choices.map(value => ({ value, label: names[value] }))} onChange={(state: State) => sign(row, state)}
        />
      ),
    },
  ]
  return <Table<PresenceRow> size="small" rowKey="user_id" columns={columns} dataSource={rows} pagination={false} scroll={{ y: 'calc(100vh - 460px)' }} />
}

function RoomTile({ room, rows, chosen, choose }: { room: Room; rows: readonly PresenceRow[]; chosen: boolean; choose: () =>
  void }): ReactNode {
  const here = rows.filter(row => row.room_id === room.room_id && row.state !== null && row.state !== 3).length
  return (
    <Button className="exam-room" data-chosen={chosen || undefined} aria-pressed={chosen} onClick={choose}>
      {room.number}考场 <b className="kit-number">{here}/{room.seated}</b> {room.confirmed_at !== null && <Tag color="green">已确认</Tag>}
    </Button>
  )
}
