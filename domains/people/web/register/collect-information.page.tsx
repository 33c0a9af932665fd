import { collectReviewApi, collectTaskApi, registerEntryApi } from '@campus/people/contract'
import { Loading, PageTabs, sentenceOf, useCan, usePage } from '@kit/web'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { EntryList } from './entry-list.tsx'
import { FieldList } from './field-list.tsx'
import { OpenCard } from './open-card.tsx'
import { useRegisterInfo } from './use-register.ts'
import './register.css'

const TaskTab = lazy(() => import('../collect/task-tab.tsx').then(part => ({ default: part.TaskTab })))
const AnswerList = lazy(() => import('../collect/answer-list.tsx').then(part => ({ default: part.AnswerList })))

/** 信息收集填报: the public forms for pupils and staff, what they ask, what families are asked to check, and what was sent in. */
export default function CollectInformation(): ReactNode {
  const { search, setSearch, title } = usePage()
  const may_review = useCan(registerEntryApi.page)
  const query = useRegisterInfo()
  const may_collect = useCan(collectTaskApi.page)
  const may_decide = useCan(collectReviewApi.waiting)
  const tab = search.tab === 'review' && (may_review || may_decide) ? 'review' : search.tab === 'tasks' && may_collect ? 'tasks' : 'open'
  const waiting = query.data?.waiting ?? 0
  const tabs = [{ key: 'open', label: '开放登记' } as const, ...(may_collect ? [{ key: 'tasks', label: '采集任务' } as const] : []), ...(may_review || may_decide ? [{ key: 'review', label: waiting > 0 ? `待审核（${waiting}）` : '待审核' } as const] : [])]
  return (
    <div className="register-page" data-ready={query.data ? tab : query.error ? 'failed' : undefined}>
      <h1 className="kit-hidden">{title}</h1>
      <PageTabs tabs={tabs} value={tab} onChange={key => setSearch(key === 'open' ? {} : { tab: key })} />
      {!query.data && (query.error ? <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} /> : <Loading rows={6} />)}
      {query.data && tab === 'review' && may_review && <EntryList />}
      <Suspense fallback={<Loading rows={6} />}>
        {query.data && tab === 'review' && may_decide && <AnswerList />}
        {query.data && tab === 'tasks' && <TaskTab />}
      </Suspense>
      {query.data && tab === 'open' && (
        <div className="register-open">
          <OpenCard key={`s${query.data.row_version}`} scene={1} info={query.data} />
          <OpenCard key={`t${query.data.row_version}`} scene={2} info={query.data} />
          <FieldList />
        </div>
      )}
    </div>
  )
}
