import { deptEditApi } from '@campus/people/contract'
import type { DeptTreeNode } from '@campus/people/contract'
import { AppModal, call, schoolToday, sentenceOf, toast } from '@kit/web'
import { Link } from '@tanstack/react-router'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, Skeleton } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { DayItem } from './day-item.tsx'
import { readDept } from './use-dept-file.ts'
import { ownSchool, useRefresh } from './use-organization.ts'

/** What the server calls what stands in the way, and how it is said here; other words are shown as they come. */
const sentences: Readonly<Record<string, (count: number) => string>> = {
  学生: count => `还有 ${count} 名学生`,
  教职工: count => `还有 ${count} 名教职工`,
  下级部门: count => `还有 ${count} 个下级部门，请先移走或关闭`,
  负责人: count => `还有 ${count} 名负责人，请先在编辑中取消`,
  未来生效的变更: count => `还有 ${count} 项未来生效的变更`,
}

type Values = { effective_on: string }

/** Asks before a department is removed: what will happen, or what stands in the way. Nothing is written before it is confirmed. */
export function RemoveDialog({ node, onClose }: { node: DeptTreeNode; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const effective_on = Form.useWatch('effective_on', form) ?? schoolToday()
  const plan = useRemovalPlan(node.id, effective_on)
  const blocks = plan.data?.removal?.blocks ?? []
  const outcome = plan.data?.removal?.outcome
  const closed_on = plan.data?.closed_on ?? null
  const is_possible = outcome !== undefined && blocks.length === 0
  const is_planned = closed_on !== null && closed_on > schoolToday()
  const word = is_planned ? '取消关闭计划' : outcome === undefined ? '删除或关闭' : outcome === 'closed' ? '关闭' : '删除'
  const { busy, refused, write } = useWriting(plan, onClose)
  const here = { school_id: ownSchool(), id: node.id }
  const remove = () => write(row_version => call(deptEditApi.remove, { ...here, row_version, effective_on }, { quiet: true }), outcome === 'closed' ? `${node.dept_name}自 ${effective_on} 起关闭` : `已删除${node.dept_name}`)
  const keep = () => write(row_version => call(deptEditApi.keepOpen, { ...here, row_version }, { quiet: true }), `已取消关闭计划，${node.dept_name}继续开放`)
  const failed = plan.error && !plan.data ? sentenceOf(plan.error) : null
  return (
    <AppModal
      open width={480} title={is_planned ? `${node.dept_name}的关闭计划` : `${word} ${node.dept_name}`} okText={word} confirmLoading={busy} onCancel={onClose}
      okButtonProps={{ danger: !is_planned, disabled: !(is_planned || is_possible) || plan.isFetching }} onOk={() => void (is_planned ? keep() : remove())}
    >
      {refused !== null && <Alert className="org-refused" type="warning" showIcon title={refused} />}
      {failed !== null && <Alert type="error" showIcon title={failed} action={<Button onClick={() => void plan.refetch()}>重试</Button>} />}
      {plan.isPending && <Skeleton active paragraph={{ rows: 2 }} />}
      {is_planned && <p>{`${node.dept_name}已安排自 ${closed_on} 起关闭，到期自动生效。可以取消这个计划，部门继续开放；为关闭而移走的人员和取消的负责人不会自动恢复。`}</p>}
      {blocks.length > 0 && <Blocks node={node} blocks={blocks} onClose={onClose} />}
      <div hidden={!is_possible}>
        <p>{outcome === 'closed' ? `${node.dept_name}有过历史记录，将从生效日期起关闭：此后不再出现在组织架构和选择框中，历史名册仍可查看。` : `${node.dept_name}还没有任何记录，将直接删除，不留历史。`}</p>
        <Form form={form} name="remove" layout="vertical" initialValues={{ effective_on: schoolToday() }} hidden={outcome !== 'closed'}>
          <DayItem hint="从这一天起关闭" />
        </Form>
      </div>
    </AppModal>
  )
}

type Plan = ReturnType<typeof useRemovalPlan>

/** Writes what was planned, with the version it was planned for; refused, the plan is made anew. */
function useWriting(plan: Plan, onClose: () => void) {
  const refresh = useRefresh()
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<string | null>(null)
  const write = async (work: (row_version: number) => Promise<unknown>, done: string) => {
    if (!plan.data) return
    setBusy(true)
    setRefused(null)
    try {
      await work(plan.data.row_version)
      await refresh()
      toast.success(done)
      onClose()
    } catch (cause) {
      setRefused(sentenceOf(cause))
      void plan.refetch()
    } finally {
      setBusy(false)
    }
  }
  return { busy, refused, write }
}

/** What removing would do on that day, and the version it was told for; one that is to close already is not asked about. */
function useRemovalPlan(id: string, effective_on: string) {
  return useQuery({
    queryKey: ['dept-removal', id, effective_on],
    queryFn: async () => {
      const { row_version, closed_on } = await readDept(id)
      if (closed_on !== null) return { row_version, closed_on }
      return { row_version, closed_on, removal: await call(deptEditApi.remove, { school_id: ownSchool(), id, row_version, dry: '1', effective_on }, { quiet: true }) }
    },
    placeholderData: before => before,
    gcTime: 0,
  })
}

function Blocks({ node, blocks, onClose }: { node: DeptTreeNode; blocks: readonly { title: string; count: number }[]; onClose: () => void }): ReactNode {
  return (
    <>
      <p>{node.dept_name}现在不能删除或关闭，请先处理：</p>
      <ul className="org-blocks">
        {blocks.map(({ title, count }) => (
          <li key={title}>
            <span>{sentences[title]?.(count) ?? `${title} ${count}`}</span>
            {title === '学生' && (
              <Link to="/ParentsRecord" search={{ dept_id: node.id }} onClick={onClose}>
                查看学生
              </Link>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
