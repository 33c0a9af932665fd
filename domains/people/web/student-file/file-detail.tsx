import { monthText, personApi, registry, studentFileApi } from '@campus/people/contract'
import type { FileGuardian, PersonFile, RegistryProp } from '@campus/people/contract'
import { AppDrawer, Can, dictionaryName, instantText } from '@kit/web'
import { Alert, Button, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { customGroups } from '../field/custom-groups.ts'
import { LoadFailed } from '../load-failed.tsx'
import { FileChanges } from './file-changes.tsx'
import { FileSkeleton } from './file-skeleton.tsx'
import { pupilChoices, RevealDialog } from './reveal-dialog.tsx'
import { scrollByKey } from './scroll-by-key.ts'
import { sections } from './sections.ts'
import { useFile } from './use-file.ts'
import { useRevealed } from './use-revealed.ts'
import type { Revealed } from './use-revealed.ts'
import './student-file.css'

type Props = { user_id: string; onClose: () => void; onEdit: () => void }

/** A pupil's file to read; protected values are masked until somebody says why he needs them. */
export function FileDetail({ user_id, onClose, onEdit }: Props): ReactNode {
  const { file, failed, refresh } = useFile(user_id)
  const revealed = useRevealed()
  const [asking, setAsking] = useState(false)
  const buttons = file && (
    <span className="kit-actions">
      <Can code={personApi.reveal}>
        <Button onClick={() => setAsking(true)}>查看完整信息</Button>
      </Can>
      <Can code={studentFileApi.update}>
        <Button type="primary" onClick={onEdit}>
          编辑
        </Button>
      </Can>
    </span>
  )
  return (
    <AppDrawer title="学生档案" size={960} onClose={onClose} extra={buttons} rootClassName="file-drawer file-read">
      {failed !== null && <LoadFailed text={failed} again={refresh} />}
      {!file && failed === null && <FileSkeleton />}
      {file && <FileBody file={file} revealed={revealed} />}
      {file && <RevealDialog choices={pupilChoices(file)} revealed={revealed} open={asking} onClose={() => setAsking(false)} />}
    </AppDrawer>
  )
}

function FileBody({ file, revealed }: { file: PersonFile; revealed: Revealed }): ReactNode {
  return (
    <div className="file-scroll" role="region" aria-label="档案内容" ref={scrollByKey}>
      <header className="file-head">
        <b>{file.registry.user_name}</b>
        <span className="kit-number">{file.registry.student_no}</span>
        <span>{file.dept_name ?? '未分班'}</span>
        <Tag color={file.state === '01' ? 'green' : 'orange'}>{dictionaryName('STUDENT_STATE', file.state)}</Tag>
        {file.state_until !== null && <span className="kit-number">至 {file.state_until}</span>}
        <span className="file-hint">
          更新于 {instantText(file.updated_at)}
          {file.updated_by !== null && ` · ${file.updated_by}`}
        </span>
      </header>
      {revealed.any && <Alert type="info" showIcon title="完整内容将在5分钟后恢复隐藏" />}
      {sections.map(({ key, title, props }) => (
        <section key={key} aria-label={title}>
          <h3>{title}</h3>
          <dl className="file-list">
            {key === 'roll' && <Line label="班级" text={file.dept_name} note={file.member_since === null ? undefined : `${file.member_since} 起`} />}
            {props.map(prop => (
              <Line key={prop} label={registry[prop].label} text={revealed.value(file.user_id, prop) ?? textOf(file, prop)} />
            ))}
          </dl>
        </section>
      ))}
      {customGroups(file.custom).map(({ title, fields }) => (
        <section key={title} aria-label={title}>
          <h3>{title}</h3>
          <dl className="file-list">
            {fields.map(({ field_code, label, value }) => (
              <Line key={field_code} label={label} text={revealed.value(file.user_id, `ext.${field_code}`) ?? value} />
            ))}
          </dl>
        </section>
      ))}
      <section aria-label="家长">
        <h3>家长</h3>
        {file.parents.length === 0 && <p className="people-missing">无家长</p>}
        {file.parents.map(parent => (
          <Guardian key={parent.user_id} parent={parent} revealed={revealed} />
        ))}
      </section>
      <States file={file} />
      <FileChanges user_id={file.user_id} />
    </div>
  )
}

function Line({ label, text, note }: { label: string; text: string | null; note?: string }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {text || <span className="kit-none">—</span>} {note !== undefined && <small className="file-hint">{note}</small>}
      </dd>
    </div>
  )
}

function textOf({ registry: values, division_names }: PersonFile, prop: RegistryProp): string | null {
  const value = values[prop]
  const { dict, kind } = registry[prop]
  if (value === null) return null
  if (dict !== undefined) return dictionaryName(dict, value)
  if (kind === 'month') return monthText(value)
  return kind === 'division' ? (division_names[value] ?? value) : value
}

function Guardian({ parent, revealed }: { parent: FileGuardian; revealed: Revealed }): ReactNode {
  const { user_id, user_name, relation, mobile, id_no, work, edu } = parent
  return (
    <article className="file-guardian" aria-label={user_name}>
      <h4>
        {user_name} <small>{dictionaryName('PICKUP_RELATION', relation)}</small> {parent.is_first && <Tag color="blue">第一联系人</Tag>}
        {parent.is_guardian && <Tag color="green">监护人</Tag>} {parent.can_pickup && <Tag>可接送</Tag>}
      </h4>
      <dl className="file-list">
        <Line label="手机号" text={revealed.value(user_id, 'mobile') ?? mobile} />
        <Line label="身份证件号" text={revealed.value(user_id, 'id_no') ?? id_no} />
        <Line label="工作单位" text={work} />
        <Line label="学历" text={edu === null ? null : dictionaryName('EDU_LEVEL', edu)} />
      </dl>
    </article>
  )
}

function States({ file }: { file: PersonFile }): ReactNode {
  return (
    <section aria-label="学籍状态">
      <h3>学籍状态</h3>
      <ul className="file-states">
        {file.states.map(({ state, valid_from, valid_to }) => (
          <li key={valid_from}>
            <span className="kit-number">
              {valid_from} 至 {valid_to ?? '今'}
            </span>{' '}
            {dictionaryName('STUDENT_STATE', state)}
          </li>
        ))}
      </ul>
    </section>
  )
}
