import type { DeptTreeNode } from '@campus/people/contract'
import type { DeptDoor } from './dept-door.ts'
import { childTypes, dept_types, isRoot, typeWord } from './dept-place.ts'
import { parentsFor, stepOf } from './tree-rows.ts'
import type { TreeRow } from './tree-rows.ts'
import type { TreeEdit } from './use-tree-edit.ts'

type Item = { key: string; label: string; disabled?: boolean; danger?: boolean; onClick: () => void }

/** Everything that can be done to a department of the tree; what dragging and keys do is here too. */
export function lineMenu({ node }: TreeRow, tree: readonly DeptTreeNode[], door: DeptDoor, edit: TreeEdit): Item[] {
  const { id, dept_type } = node
  const below = childTypes(dept_type, door.makes).map(type => ({ key: `add-${type}`, label: `新增${typeWord(type)}`, onClick: () => door.open({ kind: 'add', parent_id: id, dept_type: type }) }))
  const batch = dept_type === dept_types.grade ? [{ key: 'batch', label: '批量新增班级', onClick: () => door.open({ kind: 'batch', grade_id: id }) }] : []
  if (isRoot(node)) return below
  const step = (by: 1 | -1, label: string) => {
    const move = stepOf(tree, id, by)
    return { key: label, label, disabled: move === null, onClick: () => move && void edit.move(move) }
  }
  return [
    { key: 'rename', label: '重命名', onClick: () => edit.begin(node) },
    { key: 'edit', label: '编辑', onClick: () => door.open({ kind: 'edit', id }) },
    step(-1, '上移'),
    step(1, '下移'),
    { key: 'move', label: '移动到…', disabled: parentsFor(tree, id).length === 0, onClick: () => door.open({ kind: 'move', id }) },
    { key: 'sibling', label: '添加同级', onClick: () => node.parent_id !== null && door.open({ kind: 'add', parent_id: node.parent_id, dept_type }) },
    ...below,
    ...batch,
    { key: 'remove', label: '删除或关闭', danger: true, onClick: () => door.open({ kind: 'remove', id }) },
  ]
}
