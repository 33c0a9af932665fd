import { accountApi, expiring_days } from '@campus/identity/contract'
import type { AccountConcern } from '@campus/identity/contract'
import { call } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

/** Names of the concerns, and what each means. */
export const concern_words: Readonly<Record<AccountConcern, readonly [name: string, meaning: string]>> = {
  unchanged: ['默认密码未改', '初始或重置后的密码还没有换成自己的'],
  expiring: ['将过期', `密码在${expiring_days}天内到期`],
  weak: ['弱口令', '不符合现在的密码要求，或被判定存在漏洞'],
  locked: ['已锁定', '连续输错密码，暂时不能登录'],
}
const order = ['unchanged', 'expiring', 'weak', 'locked'] as const

/** How many accounts need looking after, one gauge a concern; each opens its people. */
export function Gauges({ open }: { open: (concern: AccountConcern) => void }): ReactNode {
  const query = useQuery({ queryKey: [accountApi.gauges.call], queryFn: ({ signal }) => call(accountApi.gauges, {}, { signal, quiet: true }) })
  const { data } = query
  return (
    <aside className="pwd-card pwd-gauges" aria-label="需要处理的账号">
      <h3>需要处理的账号</h3>
      {!data && <PartState query={query} rows={4} />}
      {data &&
        order.map(concern => (
          <button key={concern} type="button" className="pwd-gauge" data-none={data[concern] === 0} onClick={() => open(concern)}>
            <span className="pwd-gauge-name">{concern_words[concern][0]}</span>
            <span className="pwd-gauge-count"><b>{data[concern].toLocaleString('zh-CN')}</b>人</span>
            <small>{concern_words[concern][1]}</small>
          </button>
        ))}
    </aside>
  )
}
