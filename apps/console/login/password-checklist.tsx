import type { PasswordChecklistItem } from '@kit/contract/checks'

const kinds: readonly PasswordChecklistItem['code'][] = ['lower', 'upper', 'digit', 'symbol']

/** The rule of a new password, line by line, ticked while it is typed. */
export function PasswordChecklist({ id, items }: { id: string; items: readonly PasswordChecklistItem[] }) {
  return (
    <section className="checklist" id={id} aria-label="密码要求">
      <h3>密码要求</h3>
      <ul>
        {items.map(item => (
          <li key={item.code} data-ok={item.ok} data-kind={kinds.includes(item.code)}>
            <span className="check-sign" />
            <span>{item.label}{item.required && kinds.includes(item.code) && '（必须）'}</span>
            <span className="only-read">{item.ok ? '已满足' : '未满足'}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
