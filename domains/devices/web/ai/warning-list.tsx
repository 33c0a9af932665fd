import type { AiWarning } from '@campus/devices/contract'
import { Checkbox, Tag } from 'antd'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { kindName, shortTime, state_colors, stateName, thumbOf } from './ai-words.ts'
import { Shot } from './shot.tsx'

type Props = { warnings: readonly AiWarning[]; current: AiWarning | undefined; choose: (warning: AiWarning) => void; selected: readonly string[]; select: (ids: string[]) => void }

/** Warnings with a picture each, the latest first; the one that is looked at stays in view. */
export function WarningList({ warnings, current, choose, selected, select }: Props): ReactNode {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current?.warning_id])
  const toggle = (id: string) => select(selected.includes(id) ? selected.filter(one => one !== id) : [...selected, id])
  return (
    <ul className="ai-list" ref={list} aria-label="预警列表">
      {warnings.map(warning => (
        <li key={warning.warning_id} className="ai-item" aria-current={warning.warning_id === current?.warning_id}>
          <Checkbox aria-label={`选择 ${titleOf(warning)}`} checked={selected.includes(warning.warning_id)} onChange={() => toggle(warning.warning_id)} />
          <button type="button" className="ai-open" onClick={() => choose(warning)}>
            <Shot url={coverOf(warning)} alt="" />
            <span className="ai-item-text">
              <span><strong>{kindName(warning.warn_kind)}</strong> <Tag color={state_colors[warning.state]}>{stateName(warning.state)}</Tag></span>
              <span title={warning.node_path_name ?? undefined}>{warning.node_path_name?.split('/').slice(-2).join('/') ?? '已停用的场所'}</span>
              <small>{`${shortTime(warning.begin_at)} · ${warning.hits}次 · ${warning.camera_name}`}</small>
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function titleOf({ warn_kind, camera_name, begin_at }: AiWarning): string {
  return `${kindName(warn_kind)} ${camera_name} ${shortTime(begin_at)}`
}

/** The surest of its pictures that is here. */
function coverOf({ images }: AiWarning): string | null | undefined {
  const here = images.filter(image => image.url !== null).toSorted((a, b) => b.score - a.score)[0]?.url
  return here ? thumbOf(here) : images.length > 0 ? null : undefined
}
