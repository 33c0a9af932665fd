import { attendFilterApi } from '@campus/attendance/contract'
import type { AttendOption, Who } from '@campus/attendance/contract'
import { deptApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { useDeptTree } from '@campus/people/web'
import { selectFilter, useCan } from '@kit/web'
import type { FilterControl, FilterProps } from '@kit/web'
import { useCall } from '@kit/web/part'
import { TreeSelect } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'

type Filtered = { filter: FilterControl }
type Names = 'dept_id' | 'classroom' | 'subject' | 'section' | 'state' | 'identify_type'

/** The pickers of details and gathers: departments, and what occurs in the days shown. */
export function useResultFilters(who: Who, from: string, to: string): Record<Names, Filtered> {
  const query = useCall(
    attendFilterApi.options,
    { who, date_from: from, date_to: to },
    { enabled: useCan(attendFilterApi.options), keep: true },
  )
  const dept = useDeptFilter(who)
  return useMemo(() => {
    const of = (name: Exclude<Names, 'dept_id'>) => ({ filter: selectFilter(name, choicesOf(query.data?.[name])) })
    return {
      dept_id: { filter: dept },
      classroom: of('classroom'),
      subject: of('subject'),
      section: of('section'),
      state: of('state'),
      identify_type: of('identify_type'),
    }
  }, [query.data, dept])
}

function choicesOf(options: readonly AttendOption[] = []) {
  return options.filter(option => option.id !== 'all').map(({ id, name }) => ({ value: id, label: name }))
}

const trees = { student: 'student', teacher: 'staff' } as const

/** A class or department with everything below it. */
export function useDeptFilter(who: Who): FilterControl {
  const { nameOf } = useDeptTree(undefined, trees[who])
  return useMemo(
    () => ({
      names: ['dept_id'],
      text: values => (values.dept_id ? (nameOf(values.dept_id) ?? '所选部门') : undefined),
      Input: inputs[who],
    }),
    [nameOf, who],
  )
}

const inputs = {
  student: (props: FilterProps): ReactNode => <DeptInput {...props} tree="student" />,
  teacher: (props: FilterProps): ReactNode => <DeptInput {...props} tree="staff" />,
}

type Choice = { value: string; title: string; children: Choice[] }
const nodeOf = (node: DeptTreeNode): Choice => ({ value: node.id, title: node.label, children: node.children.map(nodeOf) })

function DeptInput({ id, values, change, tree }: FilterProps & { tree: 'student' | 'staff' }): ReactNode {
  const { data } = useCall(deptApi.tree, { tree, with_count: '1' }, { enabled: useCan(deptApi.tree) })
  return (
    <TreeSelect
      id={id}
      allowClear
      placeholder="全部"
      className="kit-fill"
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeData={(data?.list ?? []).map(nodeOf)}
      popupMatchSelectWidth={280}
      treeDefaultExpandedKeys={(data?.list ?? []).map(node => node.id)}
      value={values.dept_id}
      onChange={(dept_id?: string) => change({ dept_id })}
    />
  )
}

/** A value that a number has carried here; it is taken off by its tag. */
export function carriedFilter(name: string, text: string): FilterControl {
  return { names: [name], text: values => (values[name] ? text : undefined), Input: () => null }
}
