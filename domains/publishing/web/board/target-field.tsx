import { target_kind } from '@campus/publishing/contract'
import type { ContentTarget } from '@campus/publishing/contract'
import { Checkbox, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { useTargets } from './use-choices.ts'

type Props = { id?: string; value?: readonly ContentTarget[]; onChange?: (targets: ContentTarget[]) => void }
const [include, exclude] = [1, 2] as const

/** Where a content is shown: all boards, places with everything below, classes; and where not. */
export function TargetField({ id, value = [], onChange }: Props): ReactNode {
  const { places, depts } = useTargets()
  const has_all = value.some(line => line.target === target_kind.all)
  const idsOf = (mode: 1 | 2, target: number) => value.flatMap(line => (line.mode === mode && line.target === target && line.target_id !== null ? [line.target_id] : []))
  const set = (mode: 1 | 2, target: number, ids: readonly string[]) => onChange?.([...value.filter(line => line.mode !== mode || line.target !== target), ...ids.map(target_id => ({ mode, target, target_id }))])
  const all = (is_all: boolean) => onChange?.(is_all ? [{ mode: include, target: target_kind.all, target_id: null }, ...value.filter(line => line.mode === exclude)] : value.filter(line => line.target !== target_kind.all))
  const shared = { className: 'kit-fill', treeCheckable: true, showCheckedStrategy: TreeSelect.SHOW_PARENT, allowClear: true, showSearch: { treeNodeFilterProp: 'title' } } as const
  return (
    <div className="pub-audience">
      <Checkbox checked={has_all} onChange={event => all(event.target.checked)}>全部班牌</Checkbox>
      {!has_all && <TreeSelect {...shared} id={id} aria-label="场所" placeholder="按楼栋、楼层、教室选择" treeData={places} value={idsOf(include, target_kind.subtree)} onChange={(ids: string[]) => set(include, target_kind.subtree, ids)} />}
      {!has_all && <TreeSelect {...shared} aria-label="年级班级" placeholder="按年级、班级选择" treeData={depts} value={idsOf(include, target_kind.dept)} onChange={(ids: string[]) => set(include, target_kind.dept, ids)} />}
      <TreeSelect {...shared} aria-label="排除的场所" placeholder="排除这些场所（可不选）" treeData={places} value={idsOf(exclude, target_kind.subtree)} onChange={(ids: string[]) => set(exclude, target_kind.subtree, ids)} />
    </div>
  )
}

/** Targets as a draft takes them, without their names. */
export function plainTargets(targets: readonly ContentTarget[]): ContentTarget[] {
  return targets.map(({ mode, target, target_id }) => ({ mode, target, target_id }))
}
