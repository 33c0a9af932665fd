import { delegateApi } from '@campus/people/contract'
import { useCan } from '@kit/web'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { DelegateDrawer } from './delegate-drawer.tsx'

/** 委托管理, beside the tree of departments that it is about. */
export function DelegateLink({ which }: { which: 'student' | 'staff' }): ReactNode {
  const [open, setOpen] = useState(false)
  if (!useCan(delegateApi.list)) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>委托管理</Button>
      {open && <DelegateDrawer which={which} onClose={() => setOpen(false)} />}
    </>
  )
}
