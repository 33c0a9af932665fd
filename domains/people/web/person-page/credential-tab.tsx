import { personPageApi } from '@campus/people/contract'
import { call, instantText, sentenceOf } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Skeleton, Tag } from 'antd'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'

const colors = { ok: 'green', waiting: 'orange', off: 'default' } as const

/** Cards, faces and terminals of a person: what the domains that know of them tell, and nothing else. */
export function CredentialTab({ id }: { id: string }): ReactNode {
  const query = useQuery({ queryKey: [personPageApi.credentials.call, id], queryFn: ({ signal }) => call(personPageApi.credentials, { id }, { signal, quiet: true }) })
  const again = () => void query.refetch()
  if (query.error && !query.data) return <LoadFailed text={sentenceOf(query.error)} again={again} />
  if (!query.data) return <Skeleton active />
  const { list, unavailable } = query.data
  return (
    <>
      {unavailable.map(({ lane, title }) => <Alert key={lane} type="warning" showIcon title={`${title}暂不可用`} action={<Button size="small" aria-label={`重试 ${title}`} loading={query.isFetching} onClick={again}>重试</Button>} />)}
      {list.length + unavailable.length === 0 && <p className="person-none">没有登记的卡、人脸或设备权限。</p>}
      {list.map(({ lane, title, items }) => (
        <section key={lane} className="person-part" aria-label={title}>
          <h3>{title}</h3>
          <ul>
            {items.map(item => (
              <li key={item.id}>
                {item.title} <Tag color={colors[item.status]}>{item.status_text}</Tag>
                <small>{item.detail} {item.at !== null && instantText(item.at)}</small>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  )
}
