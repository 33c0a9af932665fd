import { planApi } from '@campus/exams/contract'
import type { ExamRow, FreePlace, RoomRow } from '@campus/exams/contract'
import { AppModal, call, useCan } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, InputNumber, Segmented, Select, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { numbersOf } from './room-map.tsx'

type Draft = { room_id: string | null; place_id: string; place_name: string; capacity: number | null; col_count: number; row_count: number; path: 'S' | 'Z'; blocked: number[]; is_spare: boolean }
const [usual_cols, usual_rows, most_rooms] = [5, 6, 99] as const

const draftOf = ({ number: _number, seats: _seats, ...room }: RoomRow): Draft => room
const seatsOf = ({ col_count, row_count, blocked }: Draft) => col_count * row_count - blocked.length

function freshRoom({ place_id, place_name, capacity }: FreePlace): Draft {
  const row_count = capacity === null ? usual_rows : Math.max(1, Math.min(usual_rows, Math.floor(capacity / usual_cols)))
  return { room_id: null, place_id, place_name, capacity, col_count: Math.min(usual_cols, capacity ?? usual_cols), row_count, path: 'S', blocked: [], is_spare: false }
}

/** 考场: rooms that are free at the time, their layout, their order. */
export function RoomTab({ exam, written }: { exam: ExamRow; written: () => void }): ReactNode {
  const query = useCall(planApi.rooms, { exam_id: exam.exam_id })
  return <Loaded query={query} rows={8}>{data => <Rooms key={data.rooms.map(one => one.room_id).join()} exam={exam} first={data.rooms} written={() => { void query.refetch(); written() }} />}</Loaded>
}

function Rooms({ exam, first, written }: { exam: ExamRow; first: readonly RoomRow[]; written: () => void }): ReactNode {
  const [drafts, put] = useState(() => first.map(draftOf))
  const places = useCall(planApi.places, { exam_id: exam.exam_id })
  const may_edit = useCan(planApi.saveRooms) && exam.state <= 2
  const { busy, act } = useAct([planApi.seats, planApi.duties], written)
  const { open, close, dialog } = useDialog()
  const save = () => act(() => call(planApi.saveRooms, { exam_id: exam.exam_id, rooms: drafts.map(({ place_name: _name, capacity: _capacity, ...room }) => room) }, { quiet: true }), { done: '考场已保存' })
  const change = (place_id: string, patch: Partial<Draft>) => put(drafts.map(one => (one.place_id === place_id ? { ...one, ...patch } : one)))
  const chosen = new Set(drafts.map(one => one.place_id))
  const free = places.data?.list.filter(one => !chosen.has(one.place_id)) ?? []
  const add = (id: string) => { const place = free.find(one => one.place_id === id); if (place) put([...drafts, freshRoom(place)]) }
  const fill = () => {
    const next = [...drafts]
    for (const place of free.filter(one => one.taken_by === null && one.lessons === 0)) {
      if (next.filter(one => !one.is_spare).reduce((sum, one) => sum + seatsOf(one), 0) >= exam.candidates || next.length >= most_rooms) break
      next.push(freshRoom(place))
    }
    put(next)
  }
  const layout = (room: Draft) => open(<LayoutDialog room={room} onClose={close} onDone={patch => change(room.place_id, patch)} />)
  const seats = drafts.filter(one => !one.is_spare).reduce((sum, one) => sum + seatsOf(one), 0)
  const options = free.map(one => ({ value: one.place_id, label: `${one.building} ${one.place_name}`, disabled: one.taken_by !== null, title: noteOf(one) }))
  return (
    <>
      <div className="exam-head">
        <span>考场 <b className="kit-number">{drafts.length}</b>，座位 <b className="kit-number">{seats}</b>，考生 <b className="kit-number">{exam.candidates}</b></span>
        {seats < exam.candidates && <Tag color="red">座位不足 {exam.candidates - seats}</Tag>}
        {may_edit && <Select<string> className="exam-select exam-spring" aria-label="添加考场" placeholder="添加考场" value={null} showSearch={{ optionFilterProp: 'label' }} onChange={add} options={options} loading={places.isLoading} />}
        {may_edit && <Button disabled={free.length === 0} onClick={fill}>按人数补足</Button>}
        {may_edit && <Button type="primary" loading={busy} onClick={() => void save()}>保存考场</Button>}
      </div>
      <div className="exam-rooms">
        {drafts.map((room, at) => (
          <section key={room.place_id} className="exam-room">
            <header><Tag>{at + 1}</Tag><b title={room.place_name}>{room.place_name}</b>{room.is_spare && <Tag color="orange">备用</Tag>}</header>
            <p className="kit-number">{room.col_count}列 × {room.row_count}行，{seatsOf(room)}座{room.capacity !== null && `（容量${room.capacity}）`}</p>
            {may_edit && (
              <>
                <Button type="link" size="small" onClick={() => layout(room)} aria-label={`布局 ${room.place_name}`}>布局</Button>
                <Button type="link" size="small" onClick={() => change(room.place_id, { is_spare: !room.is_spare })}>{room.is_spare ? '改为正式' : '改为备用'}</Button>
                <Button type="link" size="small" danger aria-label={`移除 ${room.place_name}`} onClick={() => put(drafts.filter(one => one !== room))}>移除</Button>
              </>
            )}
          </section>
        ))}
      </div>
      {dialog}
    </>
  )
}

function noteOf({ taken_by, lessons }: FreePlace): string {
  if (taken_by !== null) return `已被“${taken_by}”占用`
  return lessons > 0 ? `有其他年级的课 ${lessons}节` : '空闲'
}

/** Columns, rows and path of a room; a click on a cell closes or opens it. */
function LayoutDialog({ room, onClose, onDone }: { room: Draft; onClose: () => void; onDone: (patch: Partial<Draft>) => void }): ReactNode {
  const [{ col_count, row_count, path, blocked }, put] = useState({ col_count: room.col_count, row_count: room.row_count, path: room.path, blocked: room.blocked })
  const resize = (patch: { col_count?: number; row_count?: number }) => put({ col_count, row_count, path, ...patch, blocked: [] })
  const toggle = (cell: number) => put({ col_count, row_count, path, blocked: blocked.includes(cell) ? blocked.filter(one => one !== cell) : [...blocked, cell].toSorted((a, b) => a - b) })
  const numbers = numbersOf({ col_count, row_count, path, blocked })
  const done = () => { onDone({ col_count, row_count, path, blocked }); onClose() }
  return (
    <AppModal open width={560} title={`考场布局：${room.place_name}`} okText="确定" onOk={done} onCancel={onClose}>
      <div className="exam-head">
        <InputNumber aria-label="列数" min={1} max={10} value={col_count} suffix="列" onChange={value => resize({ col_count: value ?? 1 })} />
        <InputNumber aria-label="行数" min={1} max={12} value={row_count} suffix="行" onChange={value => resize({ row_count: value ?? 1 })} />
        <Segmented options={[{ value: 'S', label: 'S形' }, { value: 'Z', label: 'Z形' }]} value={path} onChange={value => put({ col_count, row_count, path: value === 'Z' ? 'Z' : 'S', blocked })} />
        <span>{numbers.size}座</span>
      </div>
      <p>点格子封闭或恢复座位，数字为座位号。</p>
      <div className="exam-map" style={{ gridTemplateColumns: `repeat(${col_count}, 34px)` }}>
        <small>讲台</small>
        {Array.from({ length: col_count * row_count }, (_, cell) => (
          <button key={cell} type="button" className="exam-seat exam-cell" data-kind={blocked.includes(cell) ? 'blocked' : 'free'} aria-pressed={blocked.includes(cell)} aria-label={`第${Math.floor(cell / col_count) + 1}行第${(cell % col_count) + 1}列`} onClick={() => toggle(cell)}>{numbers.get(cell)}</button>
        ))}
      </div>
    </AppModal>
  )
}
