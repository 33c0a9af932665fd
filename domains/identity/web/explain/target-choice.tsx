import { roleApi } from '@campus/identity/contract'
import { call, useCan } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Radio, Select } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { identityPorts } from '../ports.ts'

/** A page, or a button by its permission. */
export type ExplainTarget = { path: string } | { code: string }
type Kind = 'page' | 'code'
type Props = { role_id: string | undefined; target: ExplainTarget | undefined; choose: (target: ExplainTarget | undefined) => void }

/** Chooses what is asked about. The buttons are known to those who may see the matrix of a role. */
export function TargetChoice({ role_id, target, choose }: Props): ReactNode {
  const may_list = useCan(roleApi.matrix) && role_id !== undefined
  const [kind, setKind] = useState<Kind>('page')
  const matrix = useQuery({
    queryKey: [roleApi.matrix.call, 'codes'],
    queryFn: ({ signal }) => call(roleApi.matrix, { role_id: role_id ?? '' }, { signal, quiet: true }),
    enabled: may_list && kind === 'code',
  })
  const turn = (next: Kind) => {
    setKind(next)
    choose(undefined)
  }
  const pages = identityPorts().pages().map(({ path, title }) => ({ value: path, label: title }))
  const codes = (matrix.data?.modules ?? []).flatMap(module => module.ops).map(op => ({ value: op.code, label: `${op.noun_name} · ${op.verb_name}` }))
  const value = target && ('path' in target ? target.path : target.code)
  return (
    <div className="explain-choice">
      {may_list && <Radio.Group aria-label="诊断什么" optionType="button" options={[{ value: 'page', label: '页面' }, { value: 'code', label: '按钮' }]} value={kind} onChange={event => turn(event.target.value === 'code' ? 'code' : 'page')} />}
      <Select
        className="role-diff-other"
        aria-label={kind === 'page' ? '页面' : '按钮'}
        showSearch={{ optionFilterProp: 'label' }}
        placeholder={kind === 'page' ? '选择页面' : '选择按钮'}
        loading={matrix.isFetching}
        options={kind === 'page' ? pages : codes}
        value={value}
        onChange={(chosen: string) => choose(kind === 'page' ? { path: chosen } : { code: chosen })}
      />
    </div>
  )
}
