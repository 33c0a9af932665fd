import { askableOf, completenessApi, missing_names, most_lacking } from '@campus/people/contract'
import type { CompleteClass, StudentMissing } from '@campus/people/contract'
import { AppDrawer, call, sentenceOf, toast, useCan, usePage } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Button, Empty } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { collect_code } from '../collect/collect-door.tsx'
import { Completeness } from '../completeness.tsx'
import './gaps.css'

const Editor = lazy(() => import('../collect/task-editor.tsx').then(part => ({ default: part.TaskEditor })))

const pupils = 1
/** Items of a class that are named before the rest is unfolded. */
const named_items = 5
const quiet = { quiet: true }

type Props = { dept_id: string | undefined; dept_name: string; onClose: () => void }
type Collection = { field_scene: 1; user_ids: readonly string[]; field_codes: readonly string[] }

/** 资料完整度: which class misses what. An item opens the roll of exactly those pupils, a button asks their families for it. */
export function GapsDrawer({ dept_id, dept_name, onClose }: Props): ReactNode {
  const [collection, collect] = useState<Collection | null>(null)
  const query = useQuery({ queryKey: [completenessApi.classes.call, dept_id], queryFn: async ({ signal }) => (await call(completenessApi.classes, { dept_id }, { signal, quiet: true })).list })
  const { data } = query
  return (
    <AppDrawer size={860} title={`资料完整度 · ${dept_name}`} onClose={onClose}>
      {!data && <PartState query={query} rows={8} />}
      {data?.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="没有在读学生" />}
      {data && data.length > 0 && (
        <table className="gaps-table" data-ready="gaps">
          <thead><tr>{['班级', '人数', '完整度', '缺失项（点击查看名单）', '操作'].map(head => <th key={head} scope="col">{head}</th>)}</tr></thead>
          <tbody>
            {data.length > 1 && <GapsRow one={summed(data)} dept_id={dept_id} collect={collect} onClose={onClose} />}
            {data.map(one => <GapsRow key={one.dept_id} one={one} dept_id={one.dept_id} collect={collect} onClose={onClose} />)}
          </tbody>
        </table>
      )}
      <Suspense>{collection && <Editor named={collection} onClose={() => collect(null)} />}</Suspense>
    </AppDrawer>
  )
}

type RowProps = { one: Omit<CompleteClass, 'dept_id'>; dept_id: string | undefined; collect: (collection: Collection) => void; onClose: () => void }

function GapsRow({ one: { dept_name, students, percent, missing }, dept_id, collect, onClose }: RowProps): ReactNode {
  const { setSearch } = usePage()
  const may_collect = useCan(collect_code)
  const [is_open, unfold] = useState(false)
  const [busy, setBusy] = useState(false)
  const field_codes = askableOf(missing.map(({ field }) => field))
  const shown = is_open ? missing : missing.slice(0, named_items)
  const look = (field: StudentMissing) => {
    setSearch({ ...(dept_id === undefined ? {} : { dept_id }), missing: field })
    onClose()
  }
  const ask = async () => {
    setBusy(true)
    const found = await call(completenessApi.lacking, { dept_id, missing: field_codes.join(',') }, quiet).catch((cause: unknown) => void toast.error(sentenceOf(cause)))
    setBusy(false)
    if (!found) return
    if (found.total > most_lacking) toast.warning(`缺少资料的有 ${found.total} 人，一次最多采集 ${most_lacking} 人，请按班级发起`)
    else collect({ field_scene: pupils, user_ids: found.user_ids, field_codes })
  }
  return (
    <tr>
      <th scope="row">{dept_name}</th>
      <td className="kit-number">{students}</td>
      <td><Completeness percent={percent} /></td>
      <td>
        {missing.length === 0 && <span className="gaps-none">资料齐全</span>}
        {shown.map(({ field, count }) => <Button key={field} type="link" size="small" aria-label={`${dept_name} ${missing_names[field]} ${count} 人`} onClick={() => look(field)}>{missing_names[field]} {count}</Button>)}
        {missing.length > named_items && <Button type="text" size="small" aria-expanded={is_open} onClick={() => unfold(!is_open)}>{is_open ? '收起' : `另 ${missing.length - named_items} 项`}</Button>}
      </td>
      <td>{may_collect && field_codes.length > 0 && <Button size="small" loading={busy} aria-label={`向 ${dept_name} 发起信息收集`} onClick={() => void ask()}>发起信息收集</Button>}</td>
    </tr>
  )
}

/** All classes as one line. */
function summed(classes: readonly CompleteClass[]): Omit<CompleteClass, 'dept_id'> {
  const counts = new Map<StudentMissing, number>()
  for (const { field, count } of classes.flatMap(one => one.missing)) counts.set(field, (counts.get(field) ?? 0) + count)
  const students = classes.reduce((sum, one) => sum + one.students, 0)
  const percent = Math.round(classes.reduce((sum, one) => sum + one.percent * one.students, 0) / Math.max(students, 1))
  return { dept_name: '合计', students, percent, missing: [...counts].map(([field, count]) => ({ field, count })).toSorted((a, b) => b.count - a.count) }
}
