import { accountApi, providerLoginApi } from '@campus/identity/contract'
import type { Reply } from '@kit/contract'
import { call, readStored, useCan } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Button, Dropdown } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { IssuedDialog } from '../password/issued-dialog.tsx'
import { LinkDialog } from '../provider/link-dialog.tsx'
import type { MemberLine } from './use-member-list.ts'

type Act = 'kick' | 'unlock' | 'reset' | 'link' | 'disable' | 'enable'
type Props = { row: MemberLine; onChanged: () => Promise<void> }

/** What each act is called, what is asked before it, and what it does. */
const words: Readonly<Record<Act, { label: string; ask: string; touches: string; done?: string }>> = {
  kick: { label: '强制下线', ask: '下线', touches: '在本校的所有登录立即结束，可以重新登录', done: '已下线' },
  unlock: { label: '解锁', ask: '解锁', touches: '输错密码的次数清零，可以立即登录', done: '已解锁' },
  reset: { label: '重置密码', ask: '重置密码', touches: '原密码立即失效，该账号在所有设备上退出登录，下次登录须修改密码' },
  link: { label: '生成登录链接', ask: '生成登录链接', touches: '打开链接即以此人身份登录本校，几分钟内有效，只能用一次' },
  disable: { label: '停用账号', ask: '停用账号', touches: '不能再登录，在所有学校的登录立即结束；身份和记录保留', done: '已停用' },
  enable: { label: '启用账号', ask: '启用账号', touches: '可以用原来的密码登录', done: '已启用' },
}

/** 更多 of a member: what may be done with the login of the person, as far as its state asks for it. */
export function AccountMenu({ row, onChanged }: Props): ReactNode {
  const [issued, setIssued] = useState<Reply<typeof accountApi.reset> | null>(null)
  const [link, setLink] = useState<Reply<typeof providerLoginApi.oneTimeCode> | null>(null)
  const { busy, act: perform } = useAct([], onChanged)
  const may = useCan(accountApi.kick)
  const acts = actsOf(row)
  if (!may || acts.length === 0) return null
  const send = async (which: Act) => {
    const { user_id } = row
    if (which === 'reset') setIssued(await call(accountApi.reset, { user_id }, { quiet: true }))
    else if (which === 'link') setLink(await call(providerLoginApi.oneTimeCode, { user_id }, { quiet: true }))
    else await call(accountApi[which], { user_id }, { quiet: true })
  }
  const act = (which: Act) => {
    const { ask, touches, done } = words[which]
    return perform(() => send(which), { ask: { title: `确定${ask}：${row.user_name}？`, touches, ok: ask }, done })
  }
  return (
    <>
      <Dropdown trigger={['click']} menu={{ items: acts.map(key => ({ key, label: words[key].label, danger: key === 'disable' })), onClick: ({ key }) => { const which = acts.find(one => one === key); if (which) void act(which) } }}>
        <Button type="link" loading={busy} aria-label={`更多 ${row.user_name}`}>更多</Button>
      </Dropdown>
      <IssuedDialog issued={issued} onClose={() => setIssued(null)} />
      <LinkDialog made={link} onClose={() => setLink(null)} />
    </>
  )
}

/** Nobody does any of it to himself; who has no login or has left has nothing to be done. */
function actsOf({ user_id, account_state, member }: MemberLine): Act[] {
  if (user_id === readStored('user_id') || account_state === 'left' || account_state === 'none') return []
  if (account_state === 'disabled') return ['enable']
  const online: Act[] = member?.online ? ['kick'] : []
  const locked: Act[] = account_state === 'locked' ? ['unlock'] : []
  return [...online, ...locked, 'reset', 'link', 'disable']
}
