import { guardianLinkApi, parentApi, parentFileApi, studentApi } from '@campus/people/contract'
import type { ParentFile } from '@campus/people/contract'
import { call, confirmDanger, dictionaryName, useCan, useSaving } from '@kit/web'
import { useQueryClient } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import type { ReactNode } from 'react'

type Child = ParentFile['children'][number]

/** The children of a guardian; without the last of them he is no guardian here any more. A link ends here and can be taken back in 变更记录 for seven days. */
export function ParentChildren({ file, onGone }: { file: ParentFile; onGone: () => void }): ReactNode {
  const may_end = useCan(guardianLinkApi.remove)
  const client = useQueryClient()
  const { busy, refused, run } = useSaving()
  const end = async (child: Child) => {
    const sure = await confirmDanger({ title: `解除${file.user_name}与${child.user_name}的关系？`, touches: '家长档案保留；7天内可在变更记录中撤销', ok: '解除' })
    if (!sure) return
    const ids = { student_user_id: child.user_id, parent_user_id: file.user_id }
    const done = await run(() => call(guardianLinkApi.remove, ids, { quiet: true }), '已解除，7天内可在变更记录中撤销')
    if (done && file.children.length === 1) onGone()
    if (done) for (const key of [parentFileApi.detail.call, parentApi.list.call, studentApi.list.call]) void client.invalidateQueries({ queryKey: [key] })
  }
  return (
    <>
      {refused !== null && <Alert type="error" showIcon title={refused} />}
      <ul className="staff-children">
        {file.children.map(child => (
          <li key={child.user_id}>
            {`${child.user_name} ${child.dept_name ?? ''}（${dictionaryName('PICKUP_RELATION', child.relation)}${child.is_guardian ? '，监护人' : ''}）`}
            {may_end && <Button type="link" size="small" danger disabled={busy} aria-label={`解除与${child.user_name}的关系`} onClick={() => void end(child)}>解除</Button>}
          </li>
        ))}
      </ul>
    </>
  )
}
