import { accountApi } from '@campus/identity/contract'
import type { AccountConcern } from '@campus/identity/contract'
import { useCan, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ConcernDrawer } from './concern-drawer.tsx'
import { Gauges } from './gauges.tsx'
import { RuleForm } from './rule-form.tsx'
import { useRule } from './use-rule.ts'
import './pwd.css'

/** 密码设置: the rule of the school's passwords, and the accounts that need looking after. */
export default function PwdConfig(): ReactNode {
  const { title } = usePage()
  const rule = useRule()
  const may_look = useCan(accountApi.gauges)
  const [concern, setConcern] = useState<AccountConcern | null>(null)
  return (
    <section className="pwd" aria-label={title} data-single={!may_look} data-ready={rule.data ? 'password' : rule.isError ? 'failed' : undefined}>
      {rule.data ? <RuleForm key={`${rule.data.row_version}/${rule.data.is_password_strong}`} row={rule.data} refresh={rule.refetch} /> : <div className="pwd-card"><PartState query={rule} rows={12} /></div>}
      {may_look && <Gauges open={setConcern} />}
      {concern !== null && <ConcernDrawer concern={concern} onClose={() => setConcern(null)} />}
    </section>
  )
}
