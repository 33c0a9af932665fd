import type { DeptSize } from '@campus/insight/contract'
import type { ReactNode } from 'react'
import { RowsLink } from './row-link.tsx'

/** Employees of an enterprise by department; every bar opens its people. */
export function DeptDrawing({ depts }: { depts: readonly DeptSize[] }): ReactNode {
  return (
    <section className="insight-card" aria-labelledby="insight-depts">
      <header>
        <h2 id="insight-depts">各部门员工</h2>
      </header>
      <DeptBars depts={depts} />
    </section>
  )
}

/** The bars alone. */
export function DeptBars({ depts }: { depts: readonly DeptSize[] }): ReactNode {
  const largest = Math.max(1, ...depts.map((dept) => dept.total))
  return (
    <>
      {depts.map(({ dept_id, label, total }) => (
        <div className="insight-grade insight-dept" key={dept_id ?? ''}>
          <span className="insight-grade-name" title={label}>{label}</span>
          <RowsLink metric="staff_total" dept_id={dept_id} className="insight-way" label={`${label}${total}人，查看名单`} title={`${label}${total}人`}>
            <span className="insight-bar">
              <i className="insight-boys" style={{ width: `${(100 * total) / largest}%` }} />
            </span>
            <b>{total.toLocaleString('zh-CN')}</b>
          </RowsLink>
        </div>
      ))}
    </>
  )
}
