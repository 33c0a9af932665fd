import type { FieldChange } from '@campus/audit/contract'
import type { ReactNode } from 'react'

/** Before and after of every changed field, by its label. */
export function ChangeDiff({ changes, empty }: { changes: readonly FieldChange[]; empty: string }): ReactNode {
  if (changes.length === 0) return <p className="audit-quiet">{empty}</p>
  return (
    <table className="audit-diff">
      <thead>
        <tr><th scope="col">字段</th><th scope="col">变更前</th><th scope="col">变更后</th></tr>
      </thead>
      <tbody>
        {changes.map(({ field, label, before, after }) => (
          <tr key={field}>
            <th scope="row" title={field}>{label}</th>
            <td className={before === null ? 'kit-none' : 'audit-before'}>{before ?? '—'}</td>
            <td className={after === null ? 'kit-none' : 'audit-after'}>{after ?? '—'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The first changes of a line in one cell: 手机号 138… → 139…, three and how many more. */
export function ChangeChips({ changes }: { changes: readonly FieldChange[] }): ReactNode {
  if (changes.length === 0) return <span className="kit-none">—</span>
  const shown = changes.slice(0, 3)
  return (
    <span className="audit-chips">
      {shown.map(({ field, label, before, after }) => (
        <span className="audit-chip" key={field} title={`${label}：${before ?? '空'} → ${after ?? '空'}`}>
          <b>{label}</b> {before ?? '空'} → {after ?? '空'}
        </span>
      ))}
      {changes.length > shown.length && <span className="audit-more">+{changes.length - shown.length}</span>}
    </span>
  )
}
