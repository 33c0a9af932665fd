import { CloseOutlined, DragOutlined } from '@ant-design/icons'
import { board_columns } from '@kit/contract'
import type { CardFact, Placed } from '@kit/contract'
import type { KeyboardEvent, PointerEvent, ReactNode, RefObject } from 'react'
import { moved, removed, resized, stepped } from './placing.ts'

/** Height of a row and the gap around it, in pixels; board.css says the same. */
const row_height = 48
const gap = 12

const arrows: Readonly<Record<string, readonly [dx: number, dy: number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

type Props = { item: Placed; fact: CardFact; items: readonly Placed[]; grid: RefObject<HTMLDivElement | null>; onChange: (items: Placed[]) => void; say: (sentence: string) => void }

/** What lies over a card while the layout is arranged: a face to move it by, a corner to size it by, a cross to take it away. Arrows move, with Shift they size, Delete takes away. */
export function BoardHandles(props: Props): ReactNode {
  const { item, fact, items, onChange, say } = props
  const { title, least } = fact
  const take = (next: Placed[], sentence: (after: Placed) => string) => {
    onChange(next)
    const after = next.find(({ code }) => code === item.code)
    say(after ? sentence(after) : `已移除${title}`)
  }
  const press = (event: KeyboardEvent) => {
    const step = arrows[event.key]
    if (event.key === 'Delete' || event.key === 'Backspace') take(removed(items, item.code), placeText)
    else if (step && event.shiftKey) take(resized(items, item.code, item.w + step[0], item.h + step[1], least), after => `${title}宽${after.w}列，高${after.h}行`)
    else if (step) take(stepped(items, item.code, ...step), placeText)
    else return
    event.preventDefault()
  }
  const placeText = (after: Placed) => `${title}在第${after.y + 1}行、第${after.x + 1}列`
  return (
    <>
      <button
        type="button" className="board-face" onKeyDown={press} onPointerDown={event => follow(event, props, (dx, dy) => moved(items, item.code, item.x + dx, item.y + dy))}
        aria-label={`${title} ${item.w}×${item.h}：第${item.y + 1}行第${item.x + 1}列，宽${item.w}列高${item.h}行。方向键移动，Shift加方向键改变大小，Delete移除`}
      >
        <DragOutlined aria-hidden />
        <span>{`${title} ${item.w}×${item.h}`}</span>
      </button>
      <button type="button" className="board-out" aria-label={`移除${title}`} onClick={() => take(removed(items, item.code), placeText)}><CloseOutlined aria-hidden /></button>
      <span className="board-corner" aria-hidden onPointerDown={event => follow(event, props, (dx, dy) => resized(items, item.code, item.w + dx, item.h + dy, least))} />
    </>
  )
}

/** Follows the pointer from where it went down, in whole cells, until it is let go; Esc puts everything back. */
function follow(down: PointerEvent, { items, grid, onChange }: Props, layoutAt: (dx: number, dy: number) => Placed[]): void {
  if (down.button !== 0 || !grid.current) return
  const cell = (grid.current.clientWidth + gap) / board_columns
  const over = new AbortController()
  const { signal } = over
  let last = '0,0'
  window.addEventListener('pointermove', event => {
    const dx = Math.round((event.clientX - down.clientX) / cell)
    const dy = Math.round((event.clientY - down.clientY) / (row_height + gap))
    if (`${dx},${dy}` === last) return
    last = `${dx},${dy}`
    onChange(layoutAt(dx, dy))
  }, { signal })
  window.addEventListener('pointerup', () => over.abort(), { signal })
  window.addEventListener('pointercancel', () => over.abort(), { signal })
  window.addEventListener('keydown', event => {
    if (event.key !== 'Escape') return
    over.abort()
    onChange([...items])
  }, { signal })
}
