import { AppModal } from '@kit/web'
import type { ReactNode } from 'react'
import { kindName, scopeText } from '../role-words.ts'
import { impliedBy, opsOf } from './choice.ts'
import type { MatrixDraft } from './use-matrix-draft.ts'

type Props = { open: boolean; draft: MatrixDraft; onOk: () => void; onCancel: () => void }

/** What will be given and taken, and whom it touches, before it is saved. */
export function SaveDialog({ open, draft, onOk, onCancel }: Props): ReactNode {
  const { base, change, moved, scopes, saving } = draft
  const { members, online } = base.affected
  const implied = impliedBy(base.modules, change)
  return (
    <AppModal open={open} width={560} title={`保存“${base.role_name}”的权限？`} okText="保存" confirmLoading={saving.busy} onOk={onOk} onCancel={onCancel}>
      <p className="role-note">{members === 0 ? '目前没有人持有该角色。' : `影响${members}人，其中${online}人在线，保存后立即生效，不需要重新登录。`}</p>
      <div className="matrix-diff">
        <Codes title={`授予 ${change.grant.length}项`} mark="+" draft={draft} codes={change.grant} implied={implied} />
        <Codes title={`收回 ${change.revoke.length}项`} mark="−" draft={draft} codes={change.revoke} implied={implied} />
        {moved.map(dimension => {
          const { kind = 'none', ids = [] } = scopes[dimension] ?? {}
          return <p key={dimension}>{dimension === 'dept' ? '部门' : '场所'}范围：{scopeText(dimension, base.scopes[dimension])} → <b>{kindName(dimension, kind)}{ids.length > 0 && `（${ids.length}个）`}</b></p>
        })}
      </div>
    </AppModal>
  )
}

type CodesProps = { title: string; mark: string; draft: MatrixDraft; codes: readonly string[]; implied: ReadonlySet<string> }

function Codes({ title, mark, draft, codes, implied }: CodesProps): ReactNode {
  const ops = opsOf(draft.base.modules).filter(op => codes.includes(op.code))
  if (ops.length === 0) return null
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {ops.map(op => (
          <li key={op.code} className={mark === '+' ? 'matrix-plus' : 'matrix-minus'}>
            <span aria-hidden>{mark}</span> {op.noun_name} · {op.verb_name}
            {implied.has(op.code) && <small>（一并授予）</small>}
          </li>
        ))}
      </ul>
    </section>
  )
}
