import { asOfApi, monthText, personHistoryApi, readFileValue, registry, staff_props, staff_registry } from '@campus/people/contract'
import type { CustomValue, PersonFile, PersonHead, RegistryProp } from '@campus/people/contract'
import { AppDrawer, call, Can, dictionaryName, instantText, useCan } from '@kit/web'
import { PartState } from '@kit/web/part'
import type { dayjs } from '@kit/web/day'
import { useQuery } from '@tanstack/react-query'
import { Button, DatePicker, Skeleton } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { sourceName } from '../archive/feed.fields.ts'
import { customGroups } from '../field/custom-groups.ts'
import { LoadFailed } from '../load-failed.tsx'
import { useStaffFile } from '../staff/use-staff-file.ts'
import { sections } from '../student-file/sections.ts'
import { useFile } from '../student-file/use-file.ts'

const AsOfDrawer = lazy(() => import('../archive/as-of-drawer.tsx').then(part => ({ default: part.AsOfDrawer })))

type Field = { prop: string; label: string; value: string | null; /** where an uploaded file is opened */ url?: string | null }
type Part = { title: string; fields: readonly Field[] }

/** The file in sections; every field tells where its value came from and what it was before. */
export function FileTab({ person: { user_id, user_name, facets } }: { person: PersonHead }): ReactNode {
  const is = (name: string) => facets.some(({ facet, left_on }) => facet === name && left_on === null)
  if (!is('student') && !is('staff')) return <p className="person-none">{is('parent') ? '家长没有单独的档案，联系方式在孩子的档案中。' : '已离校，在册时的档案见“离校人员档案”。'}</p>
  return (
    <>
      <Can code={asOfApi.asOf}><FileOfDay user_id={user_id} user_name={user_name} /></Can>
      {is('student') && <PupilFile id={user_id} />}
      {is('staff') && <StaffFileParts id={user_id} />}
    </>
  )
}

/** The file as it was when a chosen day ended. */
function FileOfDay({ user_id, user_name }: { user_id: string; user_name: string }): ReactNode {
  const [day, choose] = useState<dayjs.Dayjs | null>(null)
  const on = day?.format('YYYY-MM-DD')
  return (
    <p className="person-day">
      查看某一天的档案 <DatePicker aria-label="档案日期" value={day} onChange={choose} />
      <Suspense fallback={null}>{on !== undefined && <AsOfDrawer key={on} user_id={user_id} user_name={user_name} on={on} onClose={() => choose(null)} />}</Suspense>
    </p>
  )
}

function PupilFile({ id }: { id: string }): ReactNode {
  const { file, failed, refresh } = useFile(id)
  if (failed !== null) return <LoadFailed text={failed} again={refresh} />
  if (!file) return <Skeleton active />
  const own = sections.map(({ title, props }) => ({ title, fields: props.map(prop => ({ prop, label: registry[prop].label, value: pupilText(file, prop) })) }))
  return <Parts id={id} parts={[...own, ...customParts(file.custom)]} />
}

function customParts(custom: readonly CustomValue[]): Part[] {
  return customGroups(custom).map(({ title, fields }) => ({ title, fields: fields.map(({ field_code, label, type, value, url }) => ({ prop: `ext.${field_code}`, label, value: type === 'file' ? (readFileValue(value)?.file_name ?? null) : value, url })) }))
}

function pupilText({ registry: values, division_names }: PersonFile, prop: RegistryProp): string | null {
  const value = values[prop]
  return value !== null && registry[prop].kind === 'division' ? (division_names[value] ?? value) : shown(value, registry[prop])
}

function StaffFileParts({ id }: { id: string }): ReactNode {
  const { file, failed, refresh } = useStaffFile(id)
  if (failed !== null) return <LoadFailed text={failed} again={refresh} />
  if (!file) return <Skeleton active />
  const own = { title: '任职信息', fields: staff_props.map(prop => ({ prop, label: staff_registry[prop].label, value: shown(file.registry[prop], staff_registry[prop]) })) }
  return <Parts id={id} parts={[own, ...customParts(file.custom)]} />
}

function shown(value: string | null, { dict, kind }: { dict?: string; kind: string }): string | null {
  if (value === null) return null
  if (dict !== undefined) return dictionaryName(dict, value)
  return kind === 'month' ? monthText(value) : value
}

function Parts({ id, parts }: { id: string; parts: readonly Part[] }): ReactNode {
  const [asked, ask] = useState<Field>()
  const may_trace = useCan('people.archive.view')
  return (
    <>
      {parts.map(({ title, fields }) => (
        <section key={title} className="person-part" aria-label={title}>
          <h3>{title}</h3>
          <dl>
            {fields.map(field => (
              <div key={field.prop}>
                <dt>{field.label}</dt>
                <dd>{field.url ? <a href={field.url} target="_blank" rel="noreferrer">{field.value}</a> : field.value || '—'} {may_trace && <Button type="link" size="small" aria-label={`${field.label} 的来源和变化`} onClick={() => ask(field)}>ⓘ</Button>}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      {asked && <History id={id} field={asked} onClose={() => ask(undefined)} />}
    </>
  )
}

function History({ id, field: { prop, label }, onClose }: { id: string; field: Field; onClose: () => void }): ReactNode {
  const query = useQuery({ queryKey: [personHistoryApi.history.call, id, prop], queryFn: ({ signal }) => call(personHistoryApi.history, { id, field: prop }, { signal, quiet: true }) })
  const list = query.data?.list
  return (
    <AppDrawer title={`${label} · 来源和变化`} size={480} onClose={onClose}>
      {!list && <PartState query={query} />}
      {list?.length === 0 && <p>自建档以来没有变化。</p>}
      <ol className="person-history">
        {list?.map(({ log_id, happened_at, change, source, batch_no, actor }) => (
          <li key={log_id}>
            <b>{change.before ?? '（空）'} → {change.after ?? '（空）'}</b>
            <small>来源：{instantText(happened_at)} {sourceName(source)} {batch_no} {actor ?? '系统'}</small>
          </li>
        ))}
      </ol>
    </AppDrawer>
  )
}
