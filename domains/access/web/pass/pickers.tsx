import { useDeptTree } from '@campus/people/web'
import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { placeApi } from '@campus/places/contract'
import type { PlaceNode } from '@campus/places/contract'
import { useCan } from '@kit/web'
import type { FilterControl, FilterProps } from '@kit/web'
import { useCall } from '@kit/web/part'
import { TreeSelect } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'

type Choice = { value: string; title: string; children: Choice[] }

function choicesOf(nodes: readonly PlaceNode[]): Choice[] {
  return nodes.map(node => ({ value: node.place_id, title: node.place_name, children: choicesOf(node.children ?? []) }))
}

/** The places that the reader sees, as a tree to choose from. */
export function usePlaceTree(): Choice[] {
  const query = useCall(placeApi.tree, { lazy: '0' }, { enabled: useCan(placeApi.tree) })
  return useMemo(() => choicesOf(query.data?.list ?? []), [query.data])
}

function titleOf(choices: readonly Choice[], value: string): string | undefined {
  return choices.map(choice => (choice.value === value ? choice.title : titleOf(choice.children, value))).find(title => title !== undefined)
}

/** 门: a place with everything below it. */
export function usePlaceFilter(): FilterControl {
  const places = usePlaceTree()
  return useMemo(() => ({
    names: ['place_id'],
    text: values => (values.place_id ? (titleOf(places, values.place_id) ?? '所选场所') : undefined),
    Input: PlaceInput,
  }), [places])
}

function PlaceInput({ id, values, change }: FilterProps): ReactNode {
  const places = usePlaceTree()
  return (
    <TreeSelect
      id={id} allowClear placeholder="全部" className="kit-fill" showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} popupMatchSelectWidth={280}
      value={values.place_id} onChange={(place_id?: string) => change({ place_id })}
    />
  )
}

/** A department with everything below it. */
export function useDeptFilter(which: 'student' | 'staff'): FilterControl {
  const { nameOf } = useDeptTree(undefined, which)
  return useMemo(() => ({ names: ['dept_id'], text: values => (values.dept_id ? (nameOf(values.dept_id) ?? '所选部门') : undefined), Input: dept_inputs[which] }), [nameOf, which])
}

const dept_inputs = {
  student: (props: FilterProps): ReactNode => <DeptInput {...props} which="student" />,
  staff: (props: FilterProps): ReactNode => <DeptInput {...props} which="staff" />,
}

const nodeOf = (node: DeptTreeNode): Choice => ({ value: node.id, title: node.label, children: node.children.map(nodeOf) })

function DeptInput({ id, values, change, which }: FilterProps & { which: 'student' | 'staff' }): ReactNode {
  const { data } = useCall(deptApi.tree, { tree: which, with_count: '1' })
  return (
    <TreeSelect
      id={id} allowClear placeholder="全部" className="kit-fill" showSearch={{ treeNodeFilterProp: 'title' }} treeData={(data?.list ?? []).map(nodeOf)} popupMatchSelectWidth={280}
      treeDefaultExpandedKeys={(data?.list ?? []).map(node => node.id)} value={values.dept_id} onChange={(dept_id?: string) => change({ dept_id })}
    />
  )
}
