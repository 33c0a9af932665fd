import type { DeptFile } from '@campus/people/contract'
import type { ReactNode } from 'react'
import { dayAfter } from './day-marks.ts'

/** What the department was called, and will be, newest first. Both days are included. */
export function Versions({ file }: { file: DeptFile }): ReactNode {
  const versions = file.versions.toSorted((a, b) => b.valid_from.localeCompare(a.valid_from))
  return (
    <section aria-label="历史名称">
      <h3 className="org-subtitle">历史名称</h3>
      <table className="org-table org-history">
        <thead>
          <tr>
            <th scope="col">起</th>
            <th scope="col">止</th>
            <th scope="col">名称</th>
            <th scope="col">位置</th>
          </tr>
        </thead>
        <tbody>
          {versions.map(({ valid_from, valid_to, dept_name, pt_node_path_name }) => (
            <tr key={valid_from}>
              <td className="kit-number">{valid_from}</td>
              <td className="kit-number">{valid_to === null ? '至今' : dayAfter(valid_to, -1)}</td>
              <td>{dept_name}</td>
              <td>{pt_node_path_name}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
