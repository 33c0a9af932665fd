import { explainApi } from '@campus/identity/contract'
import type { ExplainReply, ExplainStep } from '@campus/identity/contract'
import { AppDrawer, call } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Collapse, Empty, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import type { ExplainProps } from './explain-props.ts'
import { PastHolders } from './past-holders.tsx'
import { TargetChoice } from './target-choice.tsx'
import type { ExplainTarget } from './target-choice.tsx'
import '../roles.css'

/** Why somebody sees or does not see a page or button: every step of the guard in its order, and the one thing that would change it. */
export function ExplainDrawer({ person, role_no, role_id, path, onClose }: ExplainProps): ReactNode {
  const [target, setTarget] = useState<ExplainTarget | undefined>(path === undefined ? undefined : { path })
  const [identity, setIdentity] = useState(role_no)
  const query = useQuery({
    queryKey: [explainApi.explain.call, person.user_id, identity, target],
    queryFn: ({ signal }) => call(explainApi.explain, { user_id: person.user_id, role_no: identity, ...target }, { signal, quiet: true }),
    enabled: target !== undefined,
  })
  return (
    <AppDrawer size={560} title={`权限诊断：${person.user_name}`} onClose={onClose}>
      <TargetChoice role_id={role_id} target={target} choose={setTarget} />
      {target === undefined && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="选择页面或按钮后，逐步说明能否使用以及原因" />}
      {target !== undefined && (query.data ? <Verdict told={query.data} choose={setIdentity} onClose={onClose} /> : <PartState query={query} />)}
      {query.data && target !== undefined && <Collapse ghost size="small" destroyOnHidden items={[{ key: 'past', label: '过去某一天能否使用', children: <PastHolders target={target} user_id={person.user_id} /> }]} />}
    </AppDrawer>
  )
}

type VerdictProps = { told: ExplainReply; choose: (role_no: string) => void; onClose: () => void }

const state_words = { current: '', future: '（未开始）', ended: '（已结束）' } as const

function Verdict({ told, choose, onClose }: VerdictProps): ReactNode {
  return (
    <>
      <p className="explain-verdict" data-ok={told.allowed} role="status">{told.allowed ? `可以使用「${told.target}」` : `不能使用「${told.target}」`}</p>
      {told.identities.length > 1 && (
        <div className="explain-choice">
          <label htmlFor="explain-identity">以身份</label>
          <Select id="explain-identity" className="role-diff-other" value={told.identity?.role_no} options={told.identities.map(one => ({ value: one.role_no, label: `${one.role_name}${state_words[one.state]}` }))} onChange={choose} />
        </div>
      )}
      <ol className="explain-steps">{told.steps.map(step => <Step key={step.step} step={step} onClose={onClose} />)}</ol>
    </>
  )
}

const marks = { yes: ['✔', '通过'], no: ['✘', '未通过'], open: ['—', '未检查'] } as const

function Step({ step: { title, ok, text, fix }, onClose }: { step: ExplainStep; onClose: () => void }): ReactNode {
  const state = ok === null ? 'open' : ok ? 'yes' : 'no'
  const [mark, word] = marks[state]
  const [path = '', search = ''] = fix?.path?.split('?') ?? []
  return (
    <li data-state={state}>
      <span className="explain-mark" aria-hidden>{mark}</span>
      <div>
        <b>{title}</b><span className="kit-hidden">{word}</span>
        <p>{text}</p>
        {fix && <p className="explain-fix">解决办法：{path === '' ? fix.text : <Link to={path} search={Object.fromEntries(new URLSearchParams(search))} onClick={onClose}>{fix.text}</Link>}</p>}
      </div>
    </li>
  )
}
