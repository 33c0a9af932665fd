import { UserSwitchOutlined } from '@ant-design/icons'
import { mergeApi } from '@campus/people/contract'
import { call } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

const most_shown = 99
const asked = { state: 'open', page_index: 1, page_size: 20 } as const

/** 查重: how many pairs wait for somebody, and the way to them. */
export function DuplicatesLink(): ReactNode {
  const { data } = useQuery({ queryKey: [mergeApi.cases.call, asked], queryFn: ({ signal }) => call(mergeApi.cases, asked, { signal, quiet: true }) })
  const count = data?.total ?? 0
  return (
    <Link to="/PersonMerge" className="kit-link" title="查重合并" aria-label={count > 0 ? `查重，${count} 对待处理` : '查重'}>
      <span className="people-counted"><UserSwitchOutlined aria-hidden /> 查重{count > 0 && <sup>{count > most_shown ? `${most_shown}+` : count}</sup>}</span>
    </Link>
  )
}
