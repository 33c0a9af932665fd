import type { AppMatrix } from '@campus/identity/contract'
import { AppModal } from '@kit/web'
import type { ReactNode } from 'react'
import { impliedBy, opsOf } from '../matrix/choice.ts'
import type { CodeChange } from '../matrix/choice.ts'

type Props = { open: boolean; matrix: AppMatrix; change: CodeChange; busy: boolean; onOk: () => void; onCancel: () => void }

/** What will be given and taken, and how many people that touches, before it is saved. */
export function CodesDialog({ open, matrix, change, busy, onOk, onCancel }: Props): ReactNode {
  const implied = impliedBy(matrix.modules, change)
  const listed = [{ title: '授予', mark: '+', codes: change.grant }, { title: '收回', mark: '−', codes: change.revoke }].filter(({ codes }) => codes.length > 0)
  return (
    <AppModal open={open} width={560} title={`保存“${matrix.role_name}”的操作权限？`} okText="保存" confirmLoading={busy} onOk={onOk} onCancel={onCancel}>
      <p className="role-note">{matrix.reached === 0 ? '目前没有覆盖任何人。' : `影响${matrix.reached.toLocaleString('zh-CN')}人，保存后立即生效，不需要重新登录。`}</p>
      <div className="matrix-diff">
        {listed.map(({ title, mark, codes }) => (
          <section key={title} aria-label={title}>
            <h3>{title} {codes.length}项</h3>
            <ul>
              {opsOf(matrix.modules).filter(op => codes.includes(op.code)).map(op => (
                <li key={op.code} className={mark === '+' ? 'matrix-plus' : 'matrix-minus'}><span aria-hidden>{mark}</span> {op.noun_name} · {op.verb_name}{implied.has(op.code) && <small>（一并授予）</small>}</li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </AppModal>
  )
}
