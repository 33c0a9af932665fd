import type { MergeField } from '@campus/people/contract'
import { Checkbox } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { inOrder, verdict_words } from './merge-words.ts'
import type { Choices, Side } from './use-merge.ts'

type Props = { fields: readonly MergeField[]; chosen: Choices; choose: (code: string, side: Side) => void }

/** Field by field, whose value stays: by radio, by ← → from the keyboard; what is the same needs no choice. */
export function FieldTable({ fields, chosen, choose }: Props): ReactNode {
  const [all, showAll] = useState(false)
  const differing = fields.filter(field => field.verdict !== 'same')
  const shown = inOrder(all ? fields : differing)
  return (
    <>
      <div className="merge-legend">
        <h2>逐项选择</h2>
        {(['both', 'drop', 'keep', 'same'] as const).map(verdict => <span key={verdict} className="merge-verdict" data-verdict={verdict}>{verdict_words[verdict]}</span>)}
        <Checkbox checked={all} onChange={event => showAll(event.target.checked)}>显示相同的 {fields.length - differing.length} 项</Checkbox>
      </div>
      <table className="merge-fields">
        <thead><tr><th scope="col">字段</th><th scope="col">保留（左）</th><th scope="col">并入（右）</th></tr></thead>
        <tbody>{shown.map(field => <FieldRow key={field.field} field={field} side={chosen[field.field] ?? field.proposed} choose={choose} />)}</tbody>
      </table>
      {shown.length === 0 && <p className="merge-hint">两份档案的各项内容完全相同。</p>}
    </>
  )
}

function FieldRow({ field, side, choose }: { field: MergeField; side: Side; choose: Props['choose'] }): ReactNode {
  const { field: code, label, verdict } = field
  const option = (which: Side) => {
    const text = field[which] === '' ? '（空）' : field[which]
    if (verdict === 'same') return <td>{text}</td>
    return (
      <td data-chosen={side === which}>
        <label><input type="radio" name={`merge-${code}`} aria-label={`${label}：${text}`} checked={side === which} onChange={() => choose(code, which)} /> {text}</label>
      </td>
    )
  }
  return (
    <tr data-verdict={verdict}>
      <th scope="row">{label}<small>{verdict_words[verdict]}</small></th>
      {option('keep')}
      {option('drop')}
    </tr>
  )
}
