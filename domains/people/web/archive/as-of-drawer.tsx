import { asOfApi, monthText } from '@campus/people/contract'
import type { FileAsOf } from '@campus/people/contract'
import { AppDrawer, call, dictionaryName } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import './archive.css'

const months: ReadonlySet<string> = new Set(['enrol_month', 'join_month', 'work_month'])

/** The file of a pupil or of a member of staff as it was when a day ended; what is different today is marked. */
export function AsOfDrawer({ user_id, user_name, on, onClose }: { user_id: string; user_name: string; on: string; onClose: () => void }): ReactNode {
  const [only_changed, showChanged] = useState(false)
  const query = useQuery({ queryKey: [asOfApi.asOf.call, user_id, on], queryFn: ({ signal }) => call(asOfApi.asOf, { id: user_id, on }, { signal, quiet: true }) })
  const { data } = query
  const changed = data?.fields.filter(field => field.changed).length ?? 0
  return (
    <AppDrawer size={560} title={`${user_name} · ${on} 的档案`} onClose={onClose}>
      {!data && <PartState query={query} />}
      {data && (
        <>
          <p className="feed-band">正在查看 {on} 的档案{changed > 0 ? `，其中 ${changed} 项后来有变化` : '，之后没有变化'}。证件号、电话等保持隐藏，查看会记入操作日志。</p>
          <Checkbox checked={only_changed} onChange={event => showChanged(event.target.checked)}>只看有变化的</Checkbox>
          <Facts file={data} only_changed={only_changed} />
        </>
      )}
    </AppDrawer>
  )
}

function Facts({ file, only_changed }: { file: FileAsOf; only_changed: boolean }): ReactNode {
  const { dept_name, state, guardians, person_kind } = file
  const is_pupil = person_kind === 1
  const parents = guardians.map(({ user_name, relation, is_guardian }) => `${user_name}（${dictionaryName('PICKUP_RELATION', relation)}${is_guardian ? '，监护人' : ''}）`).join('、')
  const fields = file.fields.filter(field => (only_changed ? field.changed : field.changed || field.value !== ''))
  return (
    <dl className="feed-file">
      {!only_changed && (
        <>
          <dt>{is_pupil ? '班级' : '部门'}</dt><dd>{dept_name ?? '—'}</dd>
          <dt>状态</dt><dd>{state === null ? '当天不在册' : dictionaryName(is_pupil ? 'STUDENT_STATE' : 'STAFF_STATE', state)}</dd>
          {is_pupil && [<dt key="p">家长</dt>, <dd key="v">{parents === '' ? '—' : parents}</dd>]}
        </>
      )}
      {fields.map(({ field, label, value, changed }) => [
        <dt key={`${field} label`}>{label}</dt>,
        <dd key={field} data-changed={changed}>{value === '' ? '（空）' : months.has(field) ? monthText(value) : value}{changed && <small>后来有变化</small>}</dd>,
      ])}
    </dl>
  )
}
