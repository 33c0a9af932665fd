import { Can, useFocusReturn } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

const Drawer = lazy(() => import('./field-drawer.tsx').then(part => ({ default: part.FieldDrawer })))

/** A code rather than an endpoint: the contract of the fields is fetched with the drawer. */
const edit_code = 'people.field.edit'

/** 字段设置, for whoever may. */
export function FieldSettings(): ReactNode {
  const [opened, open] = useState(false)
  useFocusReturn(opened)
  return (
    <Can code={edit_code}>
      <Button onClick={() => open(true)}>字段设置</Button>
      <Suspense>{opened && <Drawer onClose={() => open(false)} />}</Suspense>
    </Can>
  )
}
