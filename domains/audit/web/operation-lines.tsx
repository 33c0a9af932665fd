import type { OperationRow } from '@campus/audit/contract'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { OpTag } from './op-tag.tsx'
import { Operator, Result, targetText } from './operation.fields.tsx'
import { secondText } from './second-text.ts'

type Props = { rows: readonly OperationRow[]; here?: string; open?: (log_id: string) => void }

/** Lines of the operation log one under the other; the one that is being looked at is marked. */
export function OperationLines({ rows, here, open }: Props): ReactNode {
  return (
    <ol className="audit-lines">
      {rows.map(row => (
        <li key={row.log_id} className={lineClass(row, here)}>
          <span className="audit-line-head">
            <span className="audit-time">{secondText(row.happened_at)}</span>
            <OpTag op_type={row.op_type} />
            {!row.ok && <Result row={row} />}
            <span>{targetText(row)}</span>
            <Operator row={row} />
            {open && row.log_id !== here && <Button type="link" size="small" aria-label={`查看 ${secondText(row.happened_at)} 的操作`} onClick={() => open(row.log_id)}>查看</Button>}
          </span>
        </li>
      ))}
    </ol>
  )
}

function lineClass(row: OperationRow, here: string | undefined): string | undefined {
  if (row.log_id === here) return 'audit-here'
  return row.ok ? undefined : 'audit-refused'
}
