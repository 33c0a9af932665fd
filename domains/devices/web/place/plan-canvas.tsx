import type { FloorPin, FloorPlan } from '@campus/devices/contract'
import { DEVICE_STATE } from '@campus/devices/contract'
import { useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { nudged, partOf, pinKey } from './plan.ts'
import type { Point } from './plan.ts'
import type { Pinnable } from './use-plan.ts'

type Props = { plan: FloorPlan; things: readonly Pinnable[]; is_editing: boolean; pin: (thing: Pinnable, point: Point) => void; unpin: (thing: Pinnable) => void; open: (thing: Pinnable) => void }
/** Beyond this part of the width a pin has its name to its left, where there is room. */
const far_right = 0.7
type Held = { key: string; point: Point; is_moved: boolean } | null

/** The picture with its pins. A pin is a button: it opens what it stands for, or while editing is dragged and moved by arrows. */
export function PlanCanvas({ plan, things, is_editing, pin, unpin, open }: Props): ReactNode {
  const canvas = useRef<HTMLDivElement>(null)
  const [held, hold] = useState<Held>(null)
  const drag = (event: PointerEvent) => {
    const box = canvas.current?.getBoundingClientRect()
    if (held && box) hold({ key: held.key, point: partOf(event, box), is_moved: true })
  }
  const drop = () => {
    const thing = held && things.find(one => pinKey(one) === held.key)
    if (held?.is_moved && thing) pin(thing, held.point)
    hold(null)
  }
  const press = (thing: Pinnable, at: FloorPin) => (event: KeyboardEvent) => {
    const next = is_editing ? nudged(at, event) : null
    if (next) pin(thing, next)
    else if (is_editing && (event.key === 'Delete' || event.key === 'Backspace')) unpin(thing)
    else return
    event.preventDefault()
  }
  const grab = (thing: Pinnable, { x, y }: FloorPin) => (event: PointerEvent<HTMLButtonElement>) => {
    if (!is_editing) return
    event.preventDefault()
    event.currentTarget.focus()
    hold({ key: pinKey(thing), point: { x, y }, is_moved: false })
  }
  return (
    <div className={is_editing ? 'plan-canvas plan-editing' : 'plan-canvas'} ref={canvas} style={{ aspectRatio: `${plan.width} / ${plan.height}` }} onPointerMove={drag} onPointerUp={drop} onPointerLeave={drop}>
      <img src={plan.address} alt="平面图" draggable={false} />
      {plan.pins.map(at => {
        const thing = things.find(one => pinKey(one) === pinKey(at))
        if (!thing) return null
        const { x, y } = held?.key === pinKey(at) ? held.point : at
        return (
          <button key={pinKey(at)} type="button" className={`plan-pin plan-${thing.kind} plan-state-${thing.state ?? 'none'}${x > far_right ? ' plan-pin-left' : ''}`} style={{ left: `${x * 100}%`, top: `${y * 100}%` }} aria-label={wordsOf(thing, is_editing, at)} title={wordsOf(thing, false, at)} onPointerDown={grab(thing, at)} onKeyDown={press(thing, at)} onClick={() => !is_editing && open(thing)}>
            <i aria-hidden /><span>{thing.name}</span>
          </button>
        )
      })}
    </div>
  )
}

function wordsOf({ kind, name, state }: Pinnable, is_editing: boolean, { x, y }: FloorPin): string {
  const code = DEVICE_STATE.codes.find(one => one === state)
  const what = kind === 'place' ? `场所 ${name}` : `设备 ${name}${code === undefined ? '' : `：${DEVICE_STATE.names[code]}`}`
  return is_editing ? `${what}，横${Math.round(x * 100)}%，纵${Math.round(y * 100)}%` : what
}
