import { DownOutlined, HolderOutlined, UpOutlined } from '@ant-design/icons'
import { checkHideColumn } from '@kit/contract/checks'
import { Button, Checkbox } from 'antd'
import { useRef } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import { AppDrawer } from '../page/app-drawer.tsx'
import { confirmDanger } from '../parts/confirm-danger.ts'
import { toast } from '../parts/toast.ts'
import type { ColumnSetting } from '../ports.ts'
import { checkSetting, moveSetting } from './columns.ts'

/** Saves lines as the common ones of the school; answers whether it could, a refusal is told by the call itself. */
export type ShareColumns = (lines: ColumnSetting[]) => Promise<boolean>
type Props = { lines: ColumnSetting[]; onChange: (lines: ColumnSetting[]) => void; onReset: () => void; share?: ShareColumns; onClose: () => void }

/** Which columns a list shows, in which order: drag a handle, or Alt+↑ ↓ on it. The last visible column stays. */
export function ColumnSettings({ lines, onChange, onReset, share, onClose }: Props): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  const check = (prop: string, checked: boolean) => {
    const refusal = checked ? null : checkHideColumn(lines.filter((line) => line.checked).length)
    if (refusal === null) onChange(checkSetting(lines, prop, checked))
    else toast.warning(refusal)
  }
  const shareNow = async () => {
    const sure = await confirmDanger({ title: '把这些列设为全校默认？', touches: '没有自己调整过列的人都会看到这些列，自己调整过的不受影响', ok: '设为默认' })
    if (sure && (await share?.(lines))) toast.success('已设为全校默认')
  }
  return (
    <AppDrawer title="列设置" onClose={onClose} size={320} extra={<Button type="link" onClick={onReset}>恢复默认</Button>}>
      <ul className="kit-columns" ref={list}>
        {lines.map((line, at) => (
          <ColumnLine
            key={line.prop}
            line={line}
            check={(checked) => check(line.prop, checked)}
            move={(steps) => onChange(moveSetting(lines, at, at + steps))}
            drop={(y) => onChange(moveSetting(lines, at, lineAt(list.current, y)))}
          />
        ))}
      </ul>
      {share && <Button block onClick={() => void shareNow()}>设为全校默认</Button>}
    </AppDrawer>
  )
}

/** The line of the list at a height of the window; -1 below or above it. */
function lineAt(list: HTMLUListElement | null, y: number): number {
  return [...(list?.children ?? [])].findIndex((line) => {
    const { top, bottom } = line.getBoundingClientRect()
    return y >= top && y < bottom
  })
}

type LineProps = { line: ColumnSetting; check: (checked: boolean) => void; move: (steps: number) => void; drop: (y: number) => void }

function ColumnLine({ line, check, move, drop }: LineProps): ReactNode {
  const label = line.label_copy ?? line.label
  const keys = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return
    event.preventDefault()
    move(event.key === 'ArrowUp' ? -1 : 1)
  }
  return (
    <li>
      <button
        type="button"
        className="kit-holder"
        aria-label={`${label}，拖动排序，Alt加上下键移动`}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerUp={(event) => drop(event.clientY)}
        onKeyDown={keys}
      >
        <HolderOutlined />
      </button>
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
