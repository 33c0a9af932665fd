import { DownOutlined, HolderOutlined, UpOutlined } from '@ant-design/icons'
import { checkHideColumn } from '@kit/contract/checks'
import { Button, Checkbox, Drawer } from 'antd'
import { useState } from 'react'
import type { DragEvent, KeyboardEvent, ReactNode } from 'react'
import { usePage } from '../page/page-context.ts'
import { toast } from '../parts/toast.ts'
import type { ColumnSetting } from '../ports.ts'
import { checkSetting, moveSetting } from './columns.ts'

type Props = { lines: ColumnSetting[]; onChange: (lines: ColumnSetting[]) => void; onReset: () => void; onClose: () => void }

/** Which columns a list shows, in which order: drag a line, or Alt+↑ ↓ on it. The last visible column stays. */
export default function ColumnSettings({ lines, onChange, onReset, onClose }: Props): ReactNode {
  const { active } = usePage()
  const [dragged, setDragged] = useState<number>()
  if (!active) return null
  const check = (prop: string, checked: boolean) => {
    const refusal = checked ? null : checkHideColumn(lines.filter((line) => line.checked).length)
    if (refusal === null) onChange(checkSetting(lines, prop, checked))
    else toast.warning(refusal)
  }
  const drop = (to: number) => {
    if (dragged !== undefined && dragged !== to) onChange(moveSetting(lines, dragged, to))
    setDragged(undefined)
  }
  return (
    <Drawer title="列设置" open onClose={onClose} size={320} extra={<Button type="link" onClick={onReset}>恢复默认</Button>}>
      <ul className="kit-columns">
        {lines.map((line, at) => (
          <ColumnLine
            key={line.prop}
            line={line}
            check={(checked) => check(line.prop, checked)}
            move={(steps) => onChange(moveSetting(lines, at, at + steps))}
            drag={{ start: () => setDragged(at), drop: () => drop(at) }}
          />
        ))}
      </ul>
    </Drawer>
  )
}

type LineProps = { line: ColumnSetting; check: (checked: boolean) => void; move: (steps: number) => void; drag: { start: () => void; drop: () => void } }

function ColumnLine({ line, check, move, drag }: LineProps): ReactNode {
  const label = line.label_copy ?? line.label
  const keys = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <li draggable onDragStart={drag.start} onDragOver={(event: DragEvent) => event.preventDefault()} onDrop={drag.drop} onKeyDown={keys}>
      <HolderOutlined className="kit-holder" aria-hidden />
      <Checkbox checked={line.checked} disabled={line.default_action} onChange={(event) => check(event.target.checked)}>
        {label}
      </Checkbox>
      <span className="kit-columns-move">
        <Button type="text" size="small" icon={<UpOutlined />} aria-label={`${label}上移`} onClick={() => move(-1)} />
        <Button type="text" size="small" icon={<DownOutlined />} aria-label={`${label}下移`} onClick={() => move(1)} />
      </span>
    </li>
  )
}
