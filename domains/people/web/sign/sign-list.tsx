import { signApi } from '@campus/people/contract'
import type { SignRow } from '@campus/people/contract'
import { call, Can, confirmDanger, downloadFile, Filters, ListPage, sentenceOf, Table, toast, useCan, useResourceList } from '@kit/web'
import { ExportButton } from '@kit/web/export'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { lazy, Suspense, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { useDeptTree } from '../use-dept-tree.ts'
import { SignDonuts } from './sign-donuts.tsx'
import { askedOf, mayTerminate } from './sign-words.ts'
import type { Who } from './sign-words.ts'
import { signFields } from './sign.fields.tsx'
import './sign.css'

const TerminateDialog = lazy(() => import('./terminate-dialog.tsx').then(part => ({ default: part.TerminateDialog })))

const most_chosen = 200
const reason_above = 1000
const calls = {
  student: { list: signApi.students, stat: signApi.studentStat, download: signApi.exportStudents, title: '导出学生家长签约' },
  staff: { list: signApi.teachers, stat: signApi.teacherStat, download: signApi.exportTeachers, title: '导出教职工签约' },
} as const

/** Payment agreements of pupils or of staff, those who have none among them. */
export function SignList({ who }: { who: Who }): ReactNode {
  const { nameOf } = useDeptTree(undefined, who)
  const api = calls[who]
  const list = useResourceList(api.list, useMemo(() => signFields(who, nameOf), [who, nameOf]))
  const [opened, open] = useState<readonly SignRow[] | null>(null)
  const may_terminate = useCan(signApi.terminate)
  const client = useQueryClient()
  const chosen = list.rows.filter(row => list.selected.includes(row.row_id) && mayTerminate(row)).slice(0, most_chosen)
  const written = () => {
    list.select([])
    for (const key of [api.list.call, api.stat.call]) void client.invalidateQueries({ queryKey: [key] })
  }
  return (
    <ListPage
      of={list}
      head={<SignDonuts who={who} dept_id={list.values.dept_id} choose={dept_id => list.filterBy({ dept_id })} />}
      filters={<Filters of={list} show={['keyword', 'dept_id', 'state', 'channel', 'product']} />}
      batch={may_terminate && <Button danger disabled={chosen.length === 0} onClick={() => open(chosen)}>解约（{chosen.length}）</Button>}
      actions={
        <>
          <Can code={signApi.remind}><Button onClick={() => void remind(who, list.values.dept_id)}>提醒未签约</Button></Can>
          <ExportButton code={api.download} title={api.title} total={list.total} kept="24 小时" reason_above={reason_above} run={reason => downloadFile(api.download, { ...askedOf(list.values), reason }, { quiet: true })} />
        </>
      }
    >
      <Table
        of={list}
        show={['user_name', 'dept_name', 'signer_name', 'channel', 'product', 'contract_no', 'signed_at', 'state']}
        more={['user_no', 'fail_msg']}
        row={actionsOf(may_terminate ? row => open([row]) : null)}
        row_width={80}
        selectable={may_terminate}
        empty={who === 'student' ? '还没有学生，先在学生家长档案中登记' : '还没有教职工，先在教职工档案中登记'}
      />
      <Suspense>{opened && <TerminateDialog rows={opened} onClose={() => open(null)} onDone={written} />}</Suspense>
    </ListPage>
  )
}

function actionsOf(terminate: ((row: SignRow) => void) | null): (row: SignRow) => ReactNode {
  return row => terminate && mayTerminate(row) && <Button type="link" size="small" danger aria-label={`${row.state === 'check' ? '重新解约' : '解约'} ${row.user_name}`} onClick={() => terminate(row)}>{row.state === 'check' ? '重新解约' : '解约'}</Button>
}

/** Asks first: it is told to many. */
async function remind(who: Who, dept_id: string | undefined): Promise<void> {
  const whom = `${dept_id === undefined ? '' : '所选部门中'}${who === 'student' ? '还没有签约的学生，通知其第一联系人' : '还没有签约的教职工'}`
  if (!(await confirmDanger({ title: `将提醒${whom}，每人每天最多收到一次，确定发送吗？`, ok: '发送' }))) return
  try {
    const { people, told } = await call(signApi.remind, { who, ...(dept_id === undefined ? {} : { dept_id }) }, { quiet: true })
    toast.success(people === 0 ? '没有未签约的人员' : `${people} 人未签约，已通知 ${told} 人`)
  } catch (cause) {
    toast.warning(sentenceOf(cause))
  }
}
