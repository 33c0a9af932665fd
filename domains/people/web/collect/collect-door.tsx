import { Can } from '@kit/web'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'

const Editor = lazy(() => import('./task-editor.tsx').then(part => ({ default: part.TaskEditor })))
/** The code rather than the endpoint, so that the lists stay light. */
export const collect_code = 'people.collect.edit'

/** 发起信息收集 to the chosen people of a list: 1 pupils, 2 staff. */
export function CollectChosen({ field_scene, user_ids }: { field_scene: 1 | 2; user_ids: readonly string[] }): ReactNode {
  const [open, setOpen] = useState(false)
  if (user_ids.length === 0) return null
  return (
    <Can code={collect_code}>
      <Button onClick={() => setOpen(true)}>发起信息收集</Button>
      <Suspense fallback={null}>{open && <Editor named={{ field_scene, user_ids }} onClose={() => setOpen(false)} />}</Suspense>
    </Can>
  )
}
