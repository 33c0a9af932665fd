import { PasswordSlips } from '@campus/identity/web'
import type { PasswordLine } from '@campus/people/contract'
import { Can } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

/** 初始密码查询 itself, fetched when it is first opened. */
export const Lookup = lazy(() => import('./lookup-dialog.tsx').then(part => ({ default: part.LookupDialog })))

/** The code rather than the endpoint: whoever administers accounts. */
export const account_code = 'identity.account.manage'
export const lookup_code = 'people.password.lookup'

/** 重置密码 of the chosen rows: new one-time passwords in a file that can be fetched once. */
export function ResetChosen({ rows, onDone }: { rows: readonly { user_id: string }[]; onDone: () => void }): ReactNode {
  const [opened, open] = useState<readonly string[] | null>(null)
  return (
    <Can code={account_code}>
      {rows.length > 0 && <Button onClick={() => open(rows.map(row => row.user_id))}>重置密码</Button>}
      {opened && <PasswordSlips user_ids={opened} onClose={() => open(null)} onDone={onDone} />}
    </Can>
  )
}

/** 初始密码查询 by mobile; `kind` is asked about first. */
export function PasswordLookup({ kind }: { kind: PasswordLine['kind'] }): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <Can code={lookup_code}>
      <Button onClick={() => setOpen(true)}>初始密码查询</Button>
      <Suspense fallback={null}>{open && <Lookup kind={kind} onClose={() => setOpen(false)} />}</Suspense>
    </Can>
  )
}
