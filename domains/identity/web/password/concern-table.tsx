import type { AccountConcern, ConcernRow } from '@campus/identity/contract'
import { instantText } from '@kit/web'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'

/** What the last column of dates says in each list. */
const date_heads: Readonly<Record<AccountConcern, string>> = { unchanged: '密码发放时间', expiring: '到期时间', weak: '密码设置时间', locked: '锁定至' }

/** The accounts of one concern with the one thing to do for each. */
export function ConcernTable({ concern, rows, busy, act }: { concern: AccountConcern; rows: readonly ConcernRow[]; busy: boolean; act: (row: ConcernRow) => void }): ReactNode {
  return (
    <table className="pwd-table">
      <thead>
        <tr>{['姓名', '编号', '部门', '账号', date_heads[concern], '操作'].map(head => <th key={head} scope="col">{head}</th>)}</tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr key={row.user_id}>
            <th scope="row">{row.user_name}{row.is_vulnerable && <Tag color="error">存在漏洞</Tag>}</th>
            <td>{row.user_no}</td>
            <td>{row.dept_name ?? '—'}</td>
            <td>{row.username}</td>
            <td className="pwd-moment-cell">{momentOf(concern, row)}</td>
            <td><Action concern={concern} row={row} busy={busy} act={act} /></td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Action({ concern, row, busy, act }: { concern: AccountConcern; row: ConcernRow; busy: boolean; act: (row: ConcernRow) => void }): ReactNode {
  if (!row.can_act) return <span className="pwd-hint">{row.is_vulnerable ? '须由超级管理员重置' : '须由本人或平台管理员处理'}</span>
  const word = concern === 'locked' ? '解锁' : '重置密码'
  return <Button type="link" size="small" disabled={busy} aria-label={`${word}：${row.user_name}`} onClick={() => act(row)}>{word}</Button>
}

function momentOf(concern: AccountConcern, { since, until }: ConcernRow): string {
  const moment = concern === 'expiring' || concern === 'locked' ? until : since
  return moment === null ? '—' : instantText(moment)
}
