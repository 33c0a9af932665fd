import { personApi, staff_props, staff_registry } from '@campus/people/contract'
import type { StaffFile } from '@campus/people/contract'
import { AppDrawer, Can, dictionaryName } from '@kit/web'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { customGroups } from '../field/custom-groups.ts'
import { LoadFailed } from '../load-failed.tsx'
import { FileSkeleton } from '../student-file/file-skeleton.tsx'
import { RevealDialog, staffChoices } from '../student-file/reveal-dialog.tsx'
import { scrollByKey } from '../student-file/scroll-by-key.ts'
import { useRevealed } from '../student-file/use-revealed.ts'
import type { Revealed } from '../student-file/use-revealed.ts'
import '../student-file/student-file.css'
import { useStaffFile } from './use-staff-file.ts'
import { duty_names, staffWord } from './words.ts'

/** The file of a member of staff to read; identity number and mobile are masked. */
export function StaffDetail({ user_id, onClose, onEdit }: { user_id: string; onClose: () => void; onEdit: () => void }): ReactNode {
  const { file, failed, refresh } = useStaffFile(user_id)
  const revealed = useRevealed()
  const [asking, setAsking] = useState(false)
  const buttons = file && (
    <span className="kit-actions">
      <Can code={personApi.reveal}>
        <Button onClick={() => setAsking(true)}>查看完整信息</Button>
      </Can>
      <Can code="people.staff.edit">
        <Button type="primary" onClick={onEdit}>编辑</Button>
      </Can>
    </span>
  )
  return (
    <AppDrawer title={`${staffWord()}档案`} size={880} onClose={onClose} extra={buttons} rootClassName="file-read">
      {failed !== null && <LoadFailed text={failed} again={refresh} />}
      {!file && failed === null && <FileSkeleton />}
      {file && <Body file={file} revealed={revealed} />}
      {file && <RevealDialog choices={staffChoices(file)} revealed={revealed} open={asking} onClose={() => setAsking(false)} />}
    </AppDrawer>
  )
}

function Body({ file, revealed }: { file: StaffFile; revealed: Revealed }): ReactNode {
  return (
    <div className="file-scroll" role="region" aria-label="档案内容" ref={scrollByKey}>
      <h3 className="staff-title">
        {file.registry.user_name} <span className="kit-number">{file.registry.teacher_no}</span> <Tag color="green">{dictionaryName('STAFF_STATE', file.state)}</Tag>
      </h3>
      <dl className="staff-facts">
        <Fact label="部门" text={file.depts.map(dept => `${dept.dept_name}${dept.is_primary ? '（主）' : '（兼）'}${dept.position ?? ''}`).join('；')} />
        <Fact label="职务" text={file.duties.map(one => `${one.dept_name}${duty_names[one.duty]}`).join('；')} />
        <Fact label="车牌号" text={file.plates.join('；')} />
        <Fact label="角色" text={file.roles.map(role => role.name).join('、')} />
        {staff_props.map(prop => <Fact key={prop} label={staff_registry[prop].label} text={revealed.value(file.user_id, prop) ?? textOf(file, prop)} />)}
      </dl>
      {customGroups(file.custom).map(({ title, fields }) => (
        <section key={title} aria-label={title}>
          <h3 className="staff-title">{title}</h3>
          <dl className="staff-facts">{fields.map(({ field_code, label, value }) => <Fact key={field_code} label={label} text={revealed.value(file.user_id, `ext.${field_code}`) ?? value ?? ''} />)}</dl>
        </section>
      ))}
      <h3 className="staff-title">在职经历</h3>
      <ul>
        {file.states.map(span => (
          <li key={span.valid_from}>
            {span.valid_from} 至 {span.valid_to ?? '今'} {dictionaryName('STAFF_STATE', span.state)} {span.valid_to === null ? '' : span.reason}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Fact({ label, text }: { label: string; text: string }): ReactNode {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{text || '—'}</dd>
    </div>
  )
}

function textOf({ registry }: StaffFile, prop: (typeof staff_props)[number]): string {
  const value = registry[prop]
  const { dict } = staff_registry[prop]
  return value === null ? '' : dict === undefined ? value : dictionaryName(dict, value)
}
