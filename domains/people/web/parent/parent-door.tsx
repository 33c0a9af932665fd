import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

const Detail = lazy(() => import('./parent-detail.tsx').then(part => ({ default: part.ParentDetail })))

/** 详情 of one guardian. */
export function ParentAction({ row }: { row: { user_id: string; user_name: string } }): ReactNode {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button type="link" aria-label={`详情 ${row.user_name}`} onClick={() => setOpen(true)}>详情</Button>
      <Suspense fallback={null}>{open && <Detail user_id={row.user_id} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
