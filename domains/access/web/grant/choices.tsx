import { ruleApi } from '@campus/access/contract'
import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { PeoplePicker } from '@campus/people/web'
import { useCall } from '@kit/web/part'
import { Select, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { WeekPicture } from '../rule/week-picture.tsx'

type Field<T> = { id?: string; value?: T; onChange?: (value: T) => void }
const staff_scene = 2

/** Chooses a rule of a scene and shows its week. */
export function RuleSelect({ scene, id, value, onChange }: Field<string> & { scene: number }): ReactNode {
  const { data, isFetching } = useCall(ruleApi.list, { scene: String(scene) })
  const rules = (data?.list ?? []).filter(rule => rule.enabled)
  const chosen = rules.find(rule => rule.rule_id === value)
  return (
    <>
      <Select id={id} className="kit-fill" placeholder="选择规则" loading={isFetching} value={value} onChange={onChange} options={rules.map(rule => ({ value: rule.rule_id, label: rule.rule_name }))} notFoundContent="还没有此类规则，请先到通行时段中新增" />
      {chosen && <WeekPicture periods={chosen.periods} compact />}
    </>
  )
}

/** Chooses departments of pupils or of staff. */
export function DeptSelect({ scene, id, value, onChange }: Field<string[]> & { scene: number }): ReactNode {
  const { data, isFetching } = useCall(deptApi.tree, { tree: scene === staff_scene ? 'staff' : 'student', with_count: '1' })
  return (
    <TreeSelect
      id={id} className="kit-fill" multiple treeDefaultExpandedKeys={(data?.list ?? []).map(node => node.id)} placeholder="选择部门或班级" loading={isFetching}
      showSearch={{ treeNodeFilterProp: 'title' }} value={value ?? []} onChange={onChange} treeData={(data?.list ?? []).map(nodeOf)}
    />
  )
}

type Node = { value: string; title: string; children: Node[] }
function nodeOf(node: DeptTreeNode): Node {
  return { value: node.id, title: node.label, children: node.children.map(nodeOf) }
}

/** Chooses people of a scene by name, pinyin or number; `most` 1 chooses one. */
export function PeopleChoice({ scene, most, ...field }: Field<string[]> & { scene: number; most?: number }): ReactNode {
  return <PeoplePicker of={[scene === staff_scene ? 'teacher' : 'student']} {...(most === undefined ? {} : { max: most })} {...field} />
}
