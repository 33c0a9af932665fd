import { useQuery } from '@tanstack/react-query'
import { TreeSelect } from 'antd'
import type { ReactElement, ReactNode } from 'react'
import { identityPorts } from './ports.ts'
import type { DeptChoice } from './ports.ts'

const kept_ms = 60_000

type Known = { ids: readonly string[]; names: readonly string[] }
type Props = { id: string; value: string[]; onChange: (ids: string[]) => void; known?: Known; disabled?: boolean; label: string }

/** Chooses departments, each of which counts with everything below it. `known` names those that were chosen before. */
export function DeptsSelect({ id, value, onChange, known, disabled, label }: Props): ReactNode {
  const { shared, choices } = useDepts(id)
  const shown = withKnown(choices, known)
  return (
    <TreeSelect<string[]>
      {...shared} className="kit-fill" multiple treeCheckable treeCheckStrictly={false} showCheckedStrategy="SHOW_PARENT" allowClear maxTagCount={6}
      aria-label={label} disabled={disabled} placeholder="请选择部门" treeData={shown} value={value} onChange={onChange}
    />
  )
}

/** Chooses one department; empty = the person's own. */
export function DeptSelect({ id, value, onChange, placeholder = '本人所在部门' }: { id?: string; placeholder?: string; value?: string; onChange?: (dept_id: string | undefined) => void }): ReactNode {
  const { shared, choices } = useDepts(id ?? '')
  return <TreeSelect<string> {...shared} className="kit-fill" allowClear placeholder={placeholder} treeData={choices} value={value} onChange={onChange} />
}

function useDepts(id: string) {
  const query = useQuery({ queryKey: ['identity-depts'], queryFn: () => identityPorts().depts(), staleTime: kept_ms })
  const choices = query.data ?? []
  const nothing = query.isError ? '部门加载失败，请收起后重新打开' : query.isPending ? '加载中…' : query.data === null ? '没有查看部门的权限' : '没有符合的部门'
  const shared = {
    id,
    showSearch: { treeNodeFilterProp: 'title' },
    loading: query.isFetching,
    notFoundContent: nothing,
    popupRender: (menu: ReactNode): ReactElement => <div id={`${id}_list`}>{menu}</div>,
    onOpenChange: (is_open: boolean) => void (is_open && query.isError && query.refetch()),
    treeDefaultExpandedKeys: choices.map(({ value }) => value),
  }
  return { shared, choices }
}

/** Departments the reader does not see keep their names. */
function withKnown(choices: readonly DeptChoice[], known: Known | undefined): DeptChoice[] {
  if (!known) return [...choices]
  const others = known.ids.map((value, at) => ({ value, title: known.names[at] ?? `部门${value}`, children: [] })).filter(({ value }) => !holds(choices, value))
  return [...choices, ...others]
}

function holds(choices: readonly DeptChoice[], value: string): boolean {
  return choices.some(one => one.value === value || holds(one.children, value))
}
