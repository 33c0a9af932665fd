import { DeleteOutlined, DownOutlined, EyeInvisibleOutlined, EyeOutlined, HolderOutlined, UpOutlined } from '@ant-design/icons'
import { useDragOrder } from '@kit/web/order'
import { Button, Empty, Tag } from 'antd'
import type { ReactNode } from 'react'
import { movedTo } from './use-book.ts'
import type { DraftEntry } from './use-book.ts'

type Props = { entries: readonly DraftEntry[]; empty: string; onChange: (entries: readonly DraftEntry[]) => void }

/** The chosen lines in their order: dragged or moved by buttons, hidden, taken out. */
export function EntryList({ entries, empty, onChange }: Props): ReactNode {
  const move = (from: number, to: number) => onChange(movedTo(entries, from, to))
  const list = useDragOrder(move)
  if (entries.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty} />
  return (
    <ol ref={list} className="book-lines" aria-label="已选内容">
      {entries.map((entry, at) => (
        <li key={keyOf(entry)} className="book-line" draggable data-hidden={!entry.visible}>
          <HolderOutlined aria-hidden />
          <Tag>{entry.user_id ? '人员' : entry.dept_id ? '部门' : '电话'}</Tag>
          <span className="book-name">
            <b>{entry.name}</b> <small>{entry.tel ?? entry.about}</small>
            {entry.is_gone && <Tag color="orange">{entry.user_id ? '已离职，不再显示' : '已撤销，不再显示'}</Tag>}
          </span>
          <Tools
            entry={entry} is_first={at === 0} is_last={at === entries.length - 1} up={() => move(at, at - 1)} down={() => move(at, at + 1)}
            toggle={() => onChange(entries.with(at, { ...entry, visible: !entry.visible }))} remove={() => onChange(entries.toSpliced(at, 1))}
          />
        </li>
      ))}
    </ol>
  )
}

type ToolProps = { entry: DraftEntry; is_first: boolean; is_last: boolean; up: () => void; down: () => void; toggle: () => void; remove: () => void }

function Tools({ entry: { name, visible }, is_first, is_last, up, down, toggle, remove }: ToolProps): ReactNode {
  const show = visible ? '设为不显示' : '设为显示'
  return (
    <span className="book-tools">
      <Button type="text" size="small" aria-label={`上移 ${name}`} title="上移" icon={<UpOutlined />} disabled={is_first} onClick={up} />
      <Button type="text" size="small" aria-label={`下移 ${name}`} title="下移" icon={<DownOutlined />} disabled={is_last} onClick={down} />
      <Button type="text" size="small" aria-label={`${show} ${name}`} title={show} icon={visible ? <EyeOutlined /> : <EyeInvisibleOutlined />} onClick={toggle} />
      <Button type="text" size="small" danger aria-label={`移除 ${name}`} title="移除" icon={<DeleteOutlined />} onClick={remove} />
    </span>
  )
}

function keyOf({ user_id, dept_id, title, tel }: DraftEntry): string {
  return [user_id ?? '', dept_id ?? '', title ?? '', tel ?? ''].join('|')
}
