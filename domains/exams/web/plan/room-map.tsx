import type { RoomRow, SeatRow } from '@campus/exams/contract'
import { LockOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'

/** The pupil who has been picked up. */
export type Held = { user_id: string; user_name: string }
type Props = {
  room: RoomRow; seats: readonly SeatRow[]; bad: ReadonlySet<string>; held: Held | null
  /** null: nothing may be moved */
  hold: ((held: Held | null) => void) | null
  move: (user_id: string, to: { room_id: string; seat: number; other_id: string | null }) => void
  pin: ((seat: SeatRow) => void) | null
}

const hues = 12
/** A light colour for each class, the same everywhere. */
const colourOf = (dept_id: string) => `hsl(${(Number(dept_id.slice(-6)) * 47) % (hues * 30)} 70% 94%)`

/** The seats of a room as they stand; classes by colour, locked ones with a lock, classmates side by side in red. */
export function RoomMap({ room, seats, bad, held, hold, move, pin }: Props): ReactNode {
  const grid = useRef<HTMLDivElement>(null)
  const { col_count, row_count, room_id } = room
  const here = seats.filter(one => one.room_id === room_id)
  const by_cell = new Map(here.map(one => [one.cell, one]))
  const numbers = numbersOf(room)
  const press = (cell: number) => {
    const seat = by_cell.get(cell)
    const number = numbers.get(cell)
    if (!hold || number === undefined) return
    if (held === null) { if (seat) hold(seat) }
    else if (seat?.user_id === held.user_id) hold(null)
    else move(held.user_id, { room_id, seat: number, other_id: seat?.user_id ?? null })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const cell = Number(event.target instanceof HTMLElement ? event.target.dataset.cell : undefined)
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -col_count, ArrowDown: col_count }[event.key]
    const seat = by_cell.get(cell)
    if (step !== undefined) grid.current?.querySelector<HTMLElement>(`[data-cell='${cell + step}']`)?.focus()
    else if (event.key.toLowerCase() === 'm') press(cell)
    else if (event.key.toLowerCase() === 'p' && seat && pin) pin(seat)
    else return
    event.preventDefault()
  }
  return (
    <div ref={grid} className="exam-map" role="group" aria-label={`${room.number}考场座位`} style={{ gridTemplateColumns: `repeat(${col_count}, 74px)` }}>
      <small>讲台</small>
      {Array.from({ length: col_count * row_count }, (_, cell) => <SeatCell key={cell} cell={cell} number={numbers.get(cell)} seat={by_cell.get(cell)} is_held={held !== null && by_cell.get(cell)?.user_id === held.user_id} is_bad={bad.has(by_cell.get(cell)?.user_id ?? '')} press={press} onKeyDown={onKeyDown} />)}
    </div>
  )
}

type CellProps = { cell: number; number: number | undefined; seat: SeatRow | undefined; is_held: boolean; is_bad: boolean; press: (cell: number) => void; onKeyDown: (event: KeyboardEvent) => void }

function SeatCell({ cell, number, seat, is_held, is_bad, press, onKeyDown }: CellProps): ReactNode {
  if (number === undefined) return <span className="exam-seat" data-kind="blocked" aria-hidden />
  const label = seat ? `${number}号 ${seat.user_name} ${seat.dept_name}${seat.pinned ? ' 已锁定' : ''}` : `${number}号 空`
  return (
    <Tooltip title={seat ? `${seat.exam_no ?? ''} ${seat.dept_name}` : ''}>
      <button type="button" className="exam-seat" data-cell={cell} data-kind={seat ? 'taken' : 'empty'} data-held={is_held || undefined} data-bad={is_bad || undefined} aria-label={label} style={seat ? { background: colourOf(seat.dept_id) } : undefined} onClick={() => press(cell)} onKeyDown={onKeyDown}>
        <small>{number} {seat?.pinned && <LockOutlined aria-hidden />}</small>
        <b>{seat?.user_name ?? '空'}</b>
      </button>
    </Tooltip>
  )
}

/** The number of every open cell, as the server counts them: column by column, S turning at the end of each. */
export function numbersOf({ col_count, row_count, path, blocked }: Pick<RoomRow, 'col_count' | 'row_count' | 'path' | 'blocked'>): Map<number, number> {
  const cells = Array.from({ length: col_count }, (_, col) => Array.from({ length: row_count }, (_row, step) => (path === 'S' && col % 2 === 1 ? row_count - 1 - step : step) * col_count + col)).flat()
  return new Map(cells.filter(cell => !blocked.includes(cell)).map((cell, at) => [cell, at + 1]))
}
