import { registerEntryApi } from '@campus/people/contract'
import { Loading, PageTabs, sentenceOf, useCan, usePage } from '@kit/web'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { EntryList } from './entry-list.tsx'
import { FieldList } from './field-list.tsx'
import { OpenCard } from './open-card.tsx'
import { useRegisterInfo } from './use-register.ts'
import './register.css'

/** 信息收集填报: the public forms for pupils and staff, what they ask, and what was sent in. */
export default function CollectInformation(): ReactNode {
  const { search, setSearch, title } = usePage()
  const may_review = useCan(registerEntryApi.page)
  const query = useRegisterInfo()
  const tab = search.tab === 'review' && may_review ? 'review' : 'open'
  const waiting = query.data?.waiting ?? 0
  const tabs = [{ key: 'open', label: '开放登记' } as const, ...(may_review ? [{ key: 'review', label: waiting > 0 ? `待审核（${waiting}）` : '待审核' } as const] : [])]
  return (
    <div className="register-page" data-ready={query.data ? tab : query.error ? 'failed' : undefined}>
      <h1 className="kit-hidden">{title}</h1>
      <PageTabs tabs={tabs} value={tab} onChange={key => setSearch(key === 'open' ? {} : { tab: key })} />
      {!query.data && (query.error ? <LoadFailed text={sentenceOf(query.error)} again={() => void query.refetch()} /> : <Loading rows={6} />)}
      {query.data && tab === 'review' && <EntryList />}
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
