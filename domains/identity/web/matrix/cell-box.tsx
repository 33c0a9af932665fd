import { LockOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { Tick } from './choice.ts'

type Props = {
  /** what a screen reader says of it */
  name: string
  /** words beside it, where the column's head does not say them */
  label: string | null
  tick: Tick
  /** why it cannot be turned, null when it can */
  lock: string | null
  moved: 'plus' | 'minus' | null
  turn: () => void
}

/** One box of the matrix. A locked one takes the focus too, so that its reason can be read. */
export function CellBox({ name, label, tick, lock, moved, turn }: Props): ReactNode {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = tick === 'some'
  }, [tick])
  const said = [name, moved === 'plus' ? '将授予' : moved === 'minus' ? '将收回' : null, lock === null ? null : `不能修改：${lock}`].filter(Boolean).join('，')
  return (
    <Tooltip title={lock}>
      <label className="matrix-box" data-moved={moved} data-locked={lock !== null}>
        <input ref={box} type="checkbox" tabIndex={-1} checked={tick === 'all'} aria-disabled={lock !== null} aria-label={said} onChange={() => lock === null && turn()} />
        {label !== null && <span>{label}</span>}
        {lock !== null && <LockOutlined aria-hidden />}
      </label>
    </Tooltip>
  )
}
