import type { DeleteConfig, DeleteSettings } from '@campus/people/contract'
import { Radio } from 'antd'
import type { ReactNode } from 'react'
import { level_names } from './delete-words.ts'

type Props = { items: DeleteSettings['items']; value?: DeleteConfig['checks']; onChange?: (checks: DeleteConfig['checks']) => void }

/** What is looked at before somebody is deleted, and how much it matters. */
export function ChecksTable({ items, value = {}, onChange }: Props): ReactNode {
  return (
    <table className="delete-checks">
      <thead><tr><th>未结事项</th><th>存在时</th></tr></thead>
      <tbody>
        {items.map(({ code, title, level, is_fixed, may_settle }) => (
          <tr key={code}>
            <td>{title}</td>
            <td>
              {is_fixed ? '阻止（不能更改）' : (
                <Radio.Group
                  aria-label={title}
                  value={value[code] ?? level}
                  options={(['block', 'warn', ...(may_settle ? (['settle'] as const) : [])] as const).map(one => ({ value: one, label: level_names[one] }))}
                  onChange={event => onChange?.({ ...value, [code]: event.target.value })}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
