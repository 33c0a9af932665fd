import { grid_size } from '@campus/publishing/contract'
import type { TemplateZone } from '@campus/publishing/contract'
import { useRef } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'

type Props = { zones: readonly TemplateZone[]; orientation: number; chosen: string | null; onChoose: (zone: string) => void; onChange: (zones: TemplateZone[]) => void }
type Grip = { zone: TemplateZone; is_resize: boolean; from_x: number; from_y: number }
const percent = (part: number) => `${(part / grid_size) * 100}%`
const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** A zone moved or made larger by cells of the grid, kept on the canvas. */
function movedZone(zone: TemplateZone, is_resize: boolean, dx: number, dy: number): TemplateZone {
  if (is_resize) return { ...zone, w: within(zone.w + dx, 1, grid_size - zone.x), h: within(zone.h + dy, 1, grid_size - zone.y) }
  return { ...zone, x: within(zone.x + dx, 0, grid_size - zone.w), y: within(zone.y + dy, 0, grid_size - zone.h) }
}

/** The canvas of a template on its grid of 24 by 24: zones are dragged and made larger by the mouse, a finger or the arrow keys (with Shift: their size). */
export function ZoneCanvas({ zones, orientation, chosen, onChoose, onChange }: Props): ReactNode {
  const canvas = useRef<HTMLDivElement>(null)
  const grip = useRef<Grip | null>(null)
  const put = (zone: TemplateZone) => onChange(zones.map(one => (one.zone === zone.zone ? zone : one)))
  const hold = (zone: TemplateZone, is_resize: boolean) => (event: PointerEvent<HTMLElement>) => {
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { zone, is_resize, from_x: event.clientX, from_y: event.clientY }
    onChoose(zone.zone)
  }
  const move = (event: PointerEvent<HTMLElement>) => {
    const box = canvas.current?.getBoundingClientRect()
    if (!grip.current || !box) return
    const { zone, is_resize, from_x, from_y } = grip.current
    put(movedZone(zone, is_resize, Math.round(((event.clientX - from_x) / box.width) * grid_size), Math.round(((event.clientY - from_y) / box.height) * grid_size)))
  }
  const letGo = () => {
    grip.current = null
  }
  const byKey = (zone: TemplateZone) => (event: KeyboardEvent) => {
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]
    if (!way) return
    event.preventDefault()
    put(movedZone(zone, event.shiftKey, way[0] ?? 0, way[1] ?? 0))
  }
  return (
    <div ref={canvas} className="brd-canvas" style={{ aspectRatio: orientation === 2 ? '9 / 16' : '16 / 9', maxWidth: orientation === 2 ? 320 : undefined }} role="group" aria-label="画布">
      {zones.map(zone => (
        <div
          key={zone.zone} role="button" tabIndex={0} className="brd-piece" aria-pressed={chosen === zone.zone} aria-label={`${zone.title}，第${zone.x + 1}列第${zone.y + 1}行，宽${zone.w}高${zone.h}`} data-over={zone.z > 0 ? '1' : '0'}
          style={{ left: percent(zone.x), top: percent(zone.y), width: percent(zone.w), height: percent(zone.h), zIndex: zone.z + 1 }}
          onPointerDown={hold(zone, false)} onPointerMove={move} onPointerUp={letGo} onPointerCancel={letGo} onKeyDown={byKey(zone)} onFocus={() => onChoose(zone.zone)}
        >
          {zone.title}
          <span className="brd-handle" aria-hidden onPointerDown={hold(zone, true)} onPointerMove={move} onPointerUp={letGo} onPointerCancel={letGo} />
        </div>
      ))}
    </div>
  )
}
