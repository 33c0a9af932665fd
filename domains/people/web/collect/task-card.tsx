import { collectTaskApi, field_scenes } from '@campus/people/contract'
import type { CollectTaskRow } from '@campus/people/contract'
import { call, confirmDanger, instantText, toast, useSaving } from '@kit/web'
import { Alert, Button, Progress, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ClassRings } from './class-rings.tsx'
import { percentOf, task_words, whoAnswers } from './collect-words.ts'
import { useCollectChanged } from './use-collect.ts'

const ring = 64
const staff_scene = field_scenes.staff
const colors = { draft: 'default', open: 'green', closed: 'default' } as const

/** One task: its ring, what can be done with it, and its classes when they are asked for. */
export function TaskCard({ task, edit }: { task: CollectTaskRow; edit: () => void }): ReactNode {
  const [opened, open] = useState(false)
  const { id, title, state, total, answered, waiting, close_at, review_mode } = task
  return (
    <article className="collect-task" aria-label={title}>
      <Progress type="circle" size={ring} percent={percentOf(task)} aria-label={`${title}完成比例`} />
      <div className="collect-about">
        <h2>{title}<Tag color={colors[state]}>{task_words[state]}</Tag></h2>
        <p>{state === 'draft' ? `${task.field_codes.length} 个字段` : `已填写 ${answered} / ${total} 人${waiting > 0 ? `，${waiting} 份待审核` : ''}`} · 截止 {instantText(close_at)} · {review_mode === 'auto' ? '提交后直接更新' : '学校审核后更新'}</p>
      </div>
      <TaskActs task={task} edit={edit}>
        {state !== 'draft' && <Button aria-expanded={opened} onClick={() => open(!opened)}>{opened ? '收起' : task.field_scene === staff_scene ? '按部门查看' : '按班级查看'}</Button>}
      </TaskActs>
      {opened && <ClassRings id={id} may_remind={state === 'open'} />}
    </article>
  )
}

function TaskActs({ task: { id, field_scene, state, is_own, title, total, answered }, edit, children }: { task: CollectTaskRow; edit: () => void; children: ReactNode }): ReactNode {
  const { busy, refused, run } = useSaving()
  const changed = useCollectChanged()
  const act = async (change: () => Promise<string>) => {
    if (await run(async () => toast.success(await change()))) changed()
  }
  const open = () => act(async () => `已开始，共 ${(await call(collectTaskApi.open, { id }, { quiet: true })).asked} 人`)
  const who = whoAnswers(field_scene)
  const remind = () => act(async () => `已提醒 ${(await call(collectTaskApi.remind, { id }, { quiet: true })).reminded} 位${who}`)
  const join = () => act(async () => `新加入 ${(await call(collectTaskApi.join, { id }, { quiet: true })).asked} 人`)
  const close = async () => {
    if (!(await confirmDanger({ title: `结束“${title}”后${who}不能再填写，不能恢复，确定吗？`, ok: '结束采集' }))) return
    await act(async () => {
      await call(collectTaskApi.close, { id }, { quiet: true })
      return '已结束'
    })
  }
  return (
    <div className="collect-acts">
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {children}
      {state === 'draft' && is_own && <Button onClick={edit}>编辑</Button>}
      {state === 'draft' && is_own && <Button type="primary" loading={busy} onClick={() => void open()}>开始采集</Button>}
      {state === 'open' && answered < total && <Button loading={busy} onClick={() => void remind()}>提醒未填写</Button>}
      {state === 'open' && is_own && <Button disabled={busy} onClick={() => void join()}>加入新来的人</Button>}
      {state === 'open' && is_own && <Button danger disabled={busy} onClick={() => void close()}>结束</Button>}
    </div>
  )
}
