import type { ManagedRow } from '@campus/publishing/contract'
import { size } from '@kit/contract/checks'
import { Checkbox, Tag } from 'antd'
import { useRef, useState } from 'react'
import type { MouseEvent, ReactNode } from 'react'
import { PreviewDialog } from './preview-dialog.tsx'
import { VirtualGrid } from './virtual-grid.tsx'

export type Item = ManagedRow & { duration_ms?: number | null }
type Props = {
  items: readonly Item[]
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  is_video?: boolean
  label: string
}
const cell = { width: 180, height: 208 }

/** Pictures or videos to choose from: a click chooses, with Shift all between; the magnifier opens one as it is. */
export function ResourceGrid({ items, selected, onSelect, is_video = false, label }: Props): ReactNode {
  const last = useRef<number | null>(null)
  const [shown, show] = useState<number | null>(null)
  const choose = (at: number, with_shift: boolean) => {
    const id = items[at]?.id ?? ''
    const next = new Set(selected)
    const from = last.current
    last.current = at
    if (with_shift && from !== null) for (const item of items.slice(Math.min(from, at), Math.max(from, at) + 1)) next.add(item.id)
    else if (next.has(id)) next.delete(id)
    else next.add(id)
    onSelect(next)
  }
  const drawn = (item: Item, at: number) => (
    <Cell
      item={item}
      is_chosen={selected.has(item.id)}
      is_video={is_video}
      onChoose={event => choose(at, event.shiftKey)}
      onShow={() => show(at)}
    />
  )
  return (
    <>
      <VirtualGrid items={items} keyOf={idOf} cell={cell} render={drawn} label={label} />
      {shown !== null && <PreviewDialog items={items} first={shown} is_video={is_video} onClose={() => show(null)} />}
    </>
  )
}

const idOf = ({ id }: Item): string => id

type CellProps = { item: Item; is_chosen: boolean; is_video: boolean; onChoose: (event: MouseEvent) => void; onShow: () => void }

function Cell({ item, is_chosen, is_video, onChoose, onShow }: CellProps): ReactNode {
  const { resource_name, bytes, usage_count, is_picture, thumb, address, duration_ms = null } = item
  return (
    <div className={is_chosen ? 'res-cell res-cell-chosen' : 'res-cell'}>
      <div className="res-thumb" onClick={onChoose} role="presentation">
        {is_video ? <Clip address={address} /> : <img src={thumb ?? address} alt={resource_name} loading="lazy" decoding="async" />}
        <Checkbox className="res-check" checked={is_chosen} aria-label={`选择 ${resource_name}`} />
        <button
          type="button"
          className="res-look"
          aria-label={`查看 ${resource_name}`}
          onClick={event => {
            event.stopPropagation()
            onShow()
          }}
        >
          ⤢
        </button>
      </div>
      <b title={resource_name}>{resource_name}</b>
      <small>
        {size(bytes)}
        {duration_ms !== null && ` · ${lengthText(duration_ms)}`}
        {usage_count > 0 && <Tag color="green">{usage_count}处</Tag>}
        {is_picture && <Tag color="blue">班牌</Tag>}
      </small>
    </div>
  )
}

/** A film that plays while the pointer rests on it. */
function Clip({ address }: { address: string }): ReactNode {
  const film = useRef<HTMLVideoElement>(null)
  return (
    <video
      ref={film}
      src={address}
      muted
      loop
      playsInline
      preload="metadata"
      aria-hidden
      onMouseEnter={() => void film.current?.play().catch(() => undefined)}
      onMouseLeave={() => film.current?.pause()}
    />
  )
}

function lengthText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
