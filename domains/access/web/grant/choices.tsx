import { ruleApi } from '@campus/access/contract'
import { deptApi, pickerApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { call, useSettled } from '@kit/web'
import { useCall } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Select, TreeSelect } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { WeekPicture } from '../rule/week-picture.tsx'

type Field<T> = { id?: string; value?: T; onChange?: (value: T) => void }
const kept_ms = 60_000
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
export function PeopleChoice({ scene, most = 200, id, value, onChange }: Field<string[]> & { scene: number; most?: number }): ReactNode {
  const [text, setText] = useState('')
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const keyword = useSettled(text)
  const source = scene === staff_scene ? pickerApi.teacher : pickerApi.student
  const { data = [], isFetching } = useQuery({ queryKey: [source.call, keyword], queryFn: async ({ signal }) => (await call(source, { keyword }, { quiet: true, signal })).list, enabled: keyword !== '', staleTime: kept_ms })
  const found = data.map(person => ({ value: person.user_id, label: person.user_name, text: `${person.user_name} ${person.user_no} ${person.label}` }))
  const kept = (value ?? []).filter(one => found.every(option => option.value !== one)).map(one => ({ value: one, label: names.get(one) ?? one, text: names.get(one) ?? one }))
  const choose = (ids: string[]) => {
    setNames(new Map([...names, ...data.map(person => [person.user_id, person.user_name] as const)]))
    onChange?.(ids)
  }
  return (
    <Select
      id={id} mode="multiple" className="kit-fill" maxCount={most} placeholder="输入姓名、拼音或编号查找" loading={isFetching} value={value ?? []} onChange={choose}
      showSearch={{ filterOption: false, onSearch: setText }} options={[...kept, ...found]} optionRender={({ data: option }) => option.text} notFoundContent={keyword === '' ? '输入姓名、拼音或编号' : '没有找到'}
    />
  )
}
