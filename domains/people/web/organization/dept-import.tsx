import { ImportButton } from '@kit/web'
import type { ReactNode } from 'react'
import { useRefresh } from './use-organization.ts'

/** 导入 of departments, for whoever may; everything that shows them is read again afterwards. */
export function DeptImport(): ReactNode {
  const refresh = useRefresh()
  return <ImportButton code="people.dept.import" template="department" title="部门班级导入" label="导入" unit="个" onApplied={() => void refresh()} />
}
