import { collectAnswerApi } from '@campus/people/contract'
import type { CollectMine } from '@campus/people/contract'
import { call, instantText } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AnswerForm } from './answer-form.tsx'
import { answer_words } from './collect-words.ts'
import { useMine } from './use-collect.ts'
import './collect.css'

/** What the school asks of me and my children, and the form of each. */
export function MineTasks(): ReactNode {
  const query = useMine()
  const [opened, open] = useState<CollectMine | null>(null)
  return (
    <div className="collect-mine" data-ready={query.data ? 'mine' : query.error ? 'failed' : undefined}>
      {!query.data && <PartState query={query} rows={4} />}
      {query.data && opened === null && <MineList list={query.data} open={open} />}
      {opened !== null && <OneForm asked={opened} close={() => open(null)} />}
    </div>
  )
}

function MineList({ list, open }: { list: CollectMine[]; open: (asked: CollectMine) => void }): ReactNode {
  if (list.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有需要填写的信息采集" />
  return (
    <ul aria-label="我的信息采集">
      {list.map(one => (
        <li key={`${one.task_id}-${one.user_id}`}>
          <span><b>{one.user_name}</b> {one.title}<small>截止 {instantText(one.close_at)}</small></span>
          <Tag color={['unseen', 'seen', 'refused'].includes(one.state) ? 'orange' : 'green'}>{answer_words[one.state]}</Tag>
          <Button type="primary" onClick={() => open(one)}>{['unseen', 'seen', 'refused'].includes(one.state) ? '填写' : '修改'}</Button>
        </li>
      ))}
    </ul>
  )
}

function OneForm({ asked: { task_id, user_id, user_name, title }, close }: { asked: CollectMine; close: () => void }): ReactNode {
  const query = useQuery({ queryKey: [collectAnswerApi.form.call, task_id, user_id], queryFn: () => call(collectAnswerApi.form, { task_id, user_id }, { quiet: true }), gcTime: 0, refetchOnWindowFocus: false })
  return (
    <section aria-label={`${user_name} ${title}`}>
      <h2><Button type="link" onClick={close}>返回</Button>{user_name} · {title}</h2>
      {!query.data && <PartState query={query} />}
      {query.data && <AnswerForm form={query.data} done={close} />}
    </section>
  )
}
