import { useEffect, useRef, useState } from 'react'
import type { PointerEvent, ReactNode } from 'react'

const [width, height, pen] = [600, 240, 4] as const

/** A signature drawn with the finger, as a PNG; null while nothing is drawn (chapter 60 rule 19). */
export function SignaturePad({ onChange }: { onChange: (picture: string | null) => void }): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [is_drawn, setDrawn] = useState(false)
  const clear = () => {
    const paper = canvas.current?.getContext('2d')
    if (!paper) return
    paper.fillStyle = '#fff'
    paper.fillRect(0, 0, width, height)
    Object.assign(paper, { strokeStyle: '#111', lineWidth: pen, lineCap: 'round', lineJoin: 'round' })
    setDrawn(false)
    onChange(null)
  }
  const first = useRef(clear)
  useEffect(() => first.current(), [])
  const move = (event: PointerEvent<HTMLCanvasElement>, begins: boolean) => {
    const paper = event.currentTarget.getContext('2d')
    if (!paper || (!begins && event.buttons === 0)) return
    const box = event.currentTarget.getBoundingClientRect()
    const [x, y] = [((event.clientX - box.left) * width) / box.width, ((event.clientY - box.top) * height) / box.height]
    if (begins) {
      event.currentTarget.setPointerCapture(event.pointerId)
      paper.beginPath()
      paper.moveTo(x, y)
    }
    paper.lineTo(x, y)
    paper.stroke()
    setDrawn(true)
  }
  const end = () => is_drawn && onChange(canvas.current?.toDataURL('image/png') ?? null)
  return (
    <div className="push-sign">
      <span>请在框内手写签名</span>
      <canvas
        ref={canvas}
        width={width}
        height={height}
        role="img"
        aria-label={is_drawn ? '手写签名，已签' : '手写签名，未签'}
        onPointerDown={event => move(event, true)}
        onPointerMove={event => move(event, false)}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <button type="button" className="link" disabled={!is_drawn} onClick={clear}>
        重签
      </button>
    </div>
  )
}
