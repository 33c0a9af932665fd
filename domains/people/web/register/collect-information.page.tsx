import { collectReviewApi, collectTaskApi, registerCoreApi, registerEntryApi } from '@campus/people/contract'
import { Loading, PageTabs, sentenceOf, useCan, usePage } from '@kit/web'
import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { EntryList } from './entry-list.tsx'
import { FieldList } from './field-list.tsx'
import { OpenCard } from './open-card.tsx'
import { switchOf, useRegisterInfo } from './use-register.ts'
import './register.css'

const TaskTab = lazy(() => import('../collect/task-tab.tsx').then(part => ({ default: part.TaskTab })))
const AnswerList = lazy(() => import('../collect/answer-list.tsx').then(part => ({ default: part.AnswerList })))
const MineTasks = lazy(() => import('../collect/mine-tasks.tsx').then(part => ({ default: part.MineTasks })))
const scenes = [1, 2] as const
type TabKey = 'open' | 'tasks' | 'review' | 'mine'

/** 信息收集填报: the public forms, what families and staff are asked to check, and what was sent in; for everybody else what is asked of himself. */
export default function CollectInformation(): ReactNode {
  const { search, setSearch } = usePage()
  const tabs = useTabs()
  const tab = tabs.find(one => one.key === search.tab)?.key ?? tabs[0]?.key ?? 'mine'
  return (
    <div className="register-page">
      {tabs.length > 1 && <PageTabs tabs={tabs} value={tab} onChange={key => setSearch(key === tabs[0]?.key ? {} : { tab: key })} />}
      <Suspense fallback={<Loading rows={6} />}>
        {tab === 'open' && <OpenForms />}
        {tab === 'tasks' && <TaskTab />}
        {tab === 'review' && <Reviews />}
        {tab === 'mine' && <MineTasks />}
      </Suspense>
    </div>
  )
}

/** What the reader may do here, his own forms last. */
function useTabs(): { key: TabKey; label: string }[] {
  const may_open = useCan(registerCoreApi.info)
  const may_collect = useCan(collectTaskApi.page)
  const may_review = useCan(registerEntryApi.page)
  const may_decide = useCan(collectReviewApi.waiting)
  const { data } = useRegisterInfo(may_open)
  const waiting = data?.waiting ?? 0
  return [
    ...(may_open ? [{ key: 'open' as const, label: '开放登记' }] : []),
    ...(may_collect ? [{ key: 'tasks' as const, label: '采集任务' }] : []),
    ...(may_review || may_decide ? [{ key: 'review' as const, label: waiting > 0 ? `待审核（${waiting}）` : '待审核' }] : []),
    { key: 'mine', label: '我的填报' },
  ]
}

/** A form begins anew when it itself was saved; what is typed into the other one stays. */
function OpenForms(): ReactNode {
  const query = useRegisterInfo()
  if (!query.data) return query.error ? <div data-ready="failed"><LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} /></div> : <Loading rows={6} />
  return (
    <div className="register-open" data-ready="open">
      {scenes.map(scene => <OpenCard key={`${scene} ${JSON.stringify(switchOf(query.data, scene))}`} scene={scene} info={query.data} />)}
      <FieldList />
    </div>
  )
}

function Reviews(): ReactNode {
  const may_review = useCan(registerEntryApi.page)
  const may_decide = useCan(collectReviewApi.waiting)
  return (
    <div className="register-reviews" data-ready="review">
      {may_review && <EntryList />}
      {may_decide && <AnswerList />}
    </div>
  )
}
