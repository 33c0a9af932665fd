import { DeleteConfig, userDeleteApi } from '@campus/people/contract'
import { call, sentenceOf, useSettled } from '@kit/web'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Spin } from 'antd'
import type { ReactNode } from 'react'

/** What these settings would mean today; they need not be saved for it. */
export function DueFigure({ config }: { config: Partial<DeleteConfig> }): ReactNode {
  const typed = useSettled(JSON.stringify(config))
  const asked = DeleteConfig.safeParse(typed === '' ? config : JSON.parse(typed))
  const query = useQuery({
    queryKey: [userDeleteApi.due.call, typed],
    queryFn: ({ signal }) => call(userDeleteApi.due, asked.success ? asked.data : DeleteConfig.parse(config), { signal, quiet: true }),
    enabled: asked.success,
    placeholderData: keepPreviousData,
  })
  const { data } = query
  return (
    <aside className="delete-due" aria-live="polite" aria-label="按此设置">
      {!asked.success && <p>请先填写完整</p>}
      {asked.success && query.error && <p>{sentenceOf(query.error)}</p>}
      {asked.success && !query.error && (
        <>
          <span>按此设置，今天将有</span>
          {data ? <b>{data.total} 人</b> : <Spin size="small" />}
          <span>进入待删除</span>
          {data && <p>学生 {data.students} 人，教职工 {data.staff} 人，家长 {data.parents} 人。只是测算，不会删除任何人。</p>}
        </>
      )}
    </aside>
  )
}
