import { Can, useFocusReturn } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useState, useTransition } from 'react'
import type { ReactNode } from 'react'

const FieldDrawer = lazy(() => import('../field/field-drawer.tsx').then(part => ({ default: part.FieldDrawer })))

/** 字段设置 of the staff, for whoever may; the button turns until the code of the drawer is there. */
export function StaffFields(): ReactNode {
  const [open, setOpen] = useState(false)
  const [fetching, start] = useTransition()
  useFocusReturn(open)
  return (
    <Can code="people.field.edit">
      <Button loading={fetching} onClick={() => start(() => setOpen(true))}>字段设置</Button>
      <Suspense fallback={null}>{open && <FieldDrawer facet="staff" onClose={() => setOpen(false)} />}</Suspense>
    </Can>
  )
}
