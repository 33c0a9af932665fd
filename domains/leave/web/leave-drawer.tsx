import { file_kind, kindOfName } from '@campus/files/contract'
import { applyApi, leaveChannel, apply_as_names, basis_names, effect_state_names, spanText, stateName, task_state_names, version_kinds, version_state_names, via_names } from '@campus/leave/contract'
import type { LeaveAct, LeaveFile } from '@campus/leave/contract'
import { AppDrawer, call, Can, instantText, useChannel, useMay } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Image, Tag } from 'antd'
import type { ReactNode } from 'react'
import { ActDialog, VerdictDialog, verdict_words } from './act-dialogs.tsx'
import { act_words, effect_colors, state_colors, storyOf, task_colors } from './leave-words.ts'
import { StepsList } from './steps-list.tsx'

type Frame = { onClose: () => void; onDone: () => void }
const verdicts = ['pass', 'refuse', 'sendBack', 'transfer', 'addSign'] as const
const ended = 5
const failed = 4

/** One leave: what it is in words, who decides, what followed, what was changed (chapter 70 §5). */
export function LeaveDrawer({ leave_id, onClose, onDone }: Frame & { leave_id: string }): ReactNode {
  const query = useCall(applyApi.read, { leave_id })
  const again = () => void query.refetch()
  useChannel(leaveChannel, rows => rows.some(row => row.leave_id === leave_id) && again(), { onGap: again })
  const changed = () => {
    void query.refetch()
    onDone()
  }
  return (
    <AppDrawer size={640} title={query.data ? `请假单 ${query.data.leave_no}` : '请假单'} onClose={onClose}>
      <Loaded query={query}>{file => <FileView file={file} onDone={changed} />}</Loaded>
    </AppDrawer>
  )
}

function FileView({ file, onDone }: { file: LeaveFile; onDone: () => void }): ReactNode {
  const { open, close, dialog } = useDialog()
  const may = useMay()
  const mine = file.tasks.find(task => task.is_mine)
  const allowed = file.allowed.filter(one => may(act_words[one].need))
  const frame = { onClose: close, onDone }
  const decide = (verdict: (typeof verdicts)[number], task: { task_id: string; version: number }) => open(<VerdictDialog verdict={verdict} task={task} {...frame} />)
  const act = (one: LeaveAct) => open(<ActDialog act={one} file={file} {...frame} />)
  return (
    <div className="leave-file">
      <p className="leave-story"><Tag color={state_colors[file.state]}>{stateName(file.state)}</Tag>{storyOf(file)}</p>
      <div className="leave-buttons">
        {mine && verdicts.map(one => <Button key={one} type={one === 'pass' ? 'primary' : 'default'} danger={one === 'refuse'} onClick={() => decide(one, mine)}>{verdict_words[one]}</Button>)}
        {allowed.map(one => <Button key={one} danger={one === 'void'} onClick={() => act(one)}>{act_words[one].label}</Button>)}
      </div>
      <Facts file={file} />
      <Proofs file={file} />
      <h2>审批流程</h2>
      <StepsList steps={file.steps} current={file.cur_seq} no_approval={file.state !== 1} />
      <Tasks file={file} />
      <Effects file={file} onDone={onDone} />
      <Members file={file} />
      <Versions file={file} />
      {dialog}
    </div>
  )
}

function Facts({ file }: { file: LeaveFile }): ReactNode {
  const lines = [
    ['表单', `${file.form_name} 第${file.form_version}版`], ['申请', `${file.apply_by_name}（${apply_as_names[file.apply_as] ?? ''}） ${instantText(file.submitted_at)}`],
    ['事由', file.reason ?? '无权查看'], ['去向', file.dest ?? ''], ['作废原因', file.void_reason ?? ''],
  ].filter(([, text]) => text !== '')
  return <dl className="leave-facts">{lines.map(([label, text]) => <div key={label}><dt>{label}</dt><dd>{text}</dd></div>)}</dl>
}

/** Proofs; pictures are shown, other files open beside the page. Nothing for whoever may not read them. */
function Proofs({ file }: { file: LeaveFile }): ReactNode {
  if (!file.attachments?.length) return null
  return (
    <>
      <h2>证明材料（{file.attachments.length}个）</h2>
      <div className="leave-proofs">
        <Image.PreviewGroup>
          {file.attachments.map(({ key, url }, at) => isPicture(key)
            ? <Image key={key} src={url} alt={`证明材料${at + 1}`} width={96} height={96} />
            : <a key={key} href={url} target="_blank" rel="noreferrer">文档{at + 1}</a>)}
        </Image.PreviewGroup>
      </div>
    </>
  )
}

const isPicture = (file_key: string) => kindOfName(file_key) === file_kind.picture

function Tasks({ file }: { file: LeaveFile }): ReactNode {
  return (
    <ul className="leave-lines">
      {file.tasks.map(task => (
        <li key={task.task_id}>
          <Tag color={task_colors[task.state]}>{task_state_names[task.state]}</Tag>
          <span>第{task.seq}步 {task.user_name}{task.via === 1 ? '' : `（${via_names[task.via]}）`}</span>
          <small>{task.done_at === null ? `等待自 ${instantText(task.created_at)}` : instantText(task.done_at)}{task.opinion ? `：${task.opinion}` : ''}</small>
        </li>
      ))}
    </ul>
  )
}

function Effects({ file, onDone }: { file: LeaveFile; onDone: () => void }): ReactNode {
  const { busy, act } = useAct([], onDone)
  if (file.effects.length === 0) return null
  const retry = (effect: string) => void act(() => call(applyApi.retry, { leave_id: file.leave_id, effect }, { quiet: true }), { done: '已重新处理' })
  const done = file.effects.filter(one => one.state === 2).length
  return (
    <>
      <h2>产生的影响（{file.effects.length}项，{done}项完成）</h2>
      <ul className="leave-lines">
        {file.effects.map(one => (
          <li key={one.effect}>
            <Tag color={effect_colors[one.state]}>{effect_state_names[one.state]}</Tag>
            <span>{one.title}</span>
            <small>{one.text}{one.done_at === null ? '' : ` ${instantText(one.done_at)}`}</small>
            {one.state === failed && <Can code={applyApi.retry}><Button size="small" loading={busy} onClick={() => retry(one.effect)}>重试</Button></Can>}
          </li>
        ))}
      </ul>
    </>
  )
}

function Members({ file }: { file: LeaveFile }): ReactNode {
  return (
    <>
      <h2>人员（{file.members.length}人）</h2>
      <ul className="leave-lines">
        {file.members.map(one => (
          <li key={one.user_id}>
            <Tag color={state_colors[one.state]}>{stateName(one.state)}</Tag>
            <span>{one.user_name} {one.dept_name}</span>
            <small>
              {one.spans.map(span => `${spanText(span)}（${span.school_days}天 ${span.lessons}节）`).join('；')}
              {one.out_at ? ` 离校 ${instantText(one.out_at)}` : ''}{one.back_at && one.state === ended ? ` 返校 ${instantText(one.back_at)}（${basis_names[one.back_basis ?? 2]}）` : ''}
            </small>
          </li>
        ))}
      </ul>
    </>
  )
}

function Versions({ file }: { file: LeaveFile }): ReactNode {
  if (file.versions.length < 2) return null
  return (
    <>
      <h2>变更记录</h2>
      <ul className="leave-lines">
        {file.versions.map(one => (
          <li key={one.version}>
            <Tag>{version_kinds[one.kind]}</Tag>
            <span>{one.spans.length === 0 ? '不再生效' : one.spans.map(span => spanText(span)).join('；')}</span>
            <small>{version_state_names[one.state]} {one.by_name ?? '系统'} {instantText(one.at)}{one.reason ? `：${one.reason}` : ''}</small>
          </li>
        ))}
      </ul>
    </>
  )
}
